"""Whether mail about games can reach its player, and how it is delivered. Notices for nobody are
not stored."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from service.accounts.channels.store import has_channels_query
from service.accounts.mail_preferences import Delivery, MailPreferences
from service.accounts.players import Players
from service.core.errors import RequestRejected
from service.core.redis.batch import Batch
from service.core.redis.client import Client
from service.eventlog import Notice, parse_notice_id
from service.games.notices.notifications import GUEST
from service.games.permissions import own_seat
from service.games.stored_game import StoredGame


class Reachability:
    """Checks whether a notice for a player can reach them.

    With a mail server it reaches players who have given an address, or have another channel. The
    address may be verified before the notice is due, so only delivery checks that. The local
    mailbox reaches everybody.
    """

    def __init__(self, redis: Client, players: Players, *, mail_server: bool) -> None:
        self._redis = redis
        self._players = players
        self._mail_server = mail_server

    def reachable(
        self, notices: Sequence[Notice], answers: Mapping[str, bool] = MappingProxyType({})
    ) -> list[Notice]:
        """Return these notices without mails that would reach nobody.

        `answers` has, by player, whether mails reach them, if that was just read; other players
        take one round trip. Nothing is cached: the response time must not reveal whether another
        player has an address.
        """
        recipients = {notice.id: _player(notice) for notice in notices}
        players = sorted({player for player in recipients.values() if player is not None})
        if not self._mail_server or not players:
            return list(notices)
        batch = Batch(self._redis)
        others = self.ask(batch, [player for player in players if player not in answers])
        batch.send()
        reached = {**answers, **others()}
        return [notice for notice in notices if reached.get(recipients[notice.id] or "", True)]

    def ask(self, batch: Batch, players: Iterable[str]) -> Callable[[], Mapping[str, bool]]:
        """Add to the batch the queries for whether mails reach these players.

        Call the returned function, which gives the answers by player, once the batch was sent.
        """
        if not self._mail_server:
            return dict
        ways = {
            player: (
                batch.ask(
                    self._players.find_query(player).then(lambda found: bool(found and found.email))
                ),
                batch.ask(has_channels_query(player)),
            )
            for player in players
        }
        return lambda: {player: any(way.get() for way in asked) for player, asked in ways.items()}


def _player(notice: Notice) -> str | None:
    """The player to whom a notice is mailed; None for other notices."""
    parts = parse_notice_id(notice.id)
    is_mail = parts.transport == "mail" and parts.recipient != GUEST
    return parts.recipient if is_mail else None


def choose_delivery(
    preferences: MailPreferences, stored: StoredGame, player: str, delivery: Delivery | None
) -> None:
    """Set the delivery of mail about this game; None: like all other mail.

    Raises `RequestRejected`: `not-a-player`, `game-not-found`, `game-over`.
    """
    own_seat(stored, player)
    if stored.game.over:
        raise RequestRejected("game-over", "No more mail is sent about this game.")
    preferences.set_game(player, stored.id, delivery)
