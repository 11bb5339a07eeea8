"""Which players a notice can reach: one for nobody is not even stored."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from service.accounts.channels.store import has_channels_query
from service.accounts.player import Player
from service.accounts.players import Players
from service.core.redis.batch import Batch
from service.core.redis.client import Client
from service.eventlog import Notice, parse_notice_id
from service.games.notices.notifications import GUEST


class Reachability:
    """Whether a notice for a player goes anywhere.

    With a mail server it goes to players who have given an address, or have another channel. The
    address can be verified by the time the notice falls due, so only delivery asks for that. The
    local mailbox reaches everybody.
    """

    def __init__(self, redis: Client, players: Players, *, mail_server: bool) -> None:
        self._redis = redis
        self._players = players
        self._mail_server = mail_server

    def reachable(
        self, notices: Sequence[Notice], known: Mapping[str, bool] = MappingProxyType({})
    ) -> list[Notice]:
        """These notices without mails that would reach nobody. `known` has been read just now, by
        player; one round trip if there are mails to others.

        Nothing is cached: the time must not tell one player whether another has an address.
        """
        recipients = {notice.id: _player(notice) for notice in notices}
        players = sorted({player for player in recipients.values() if player is not None})
        if not self._mail_server or not players:
            return list(notices)
        batch = Batch(self._redis)
        others = self.ask(batch, [player for player in players if player not in known])
        batch.send()
        reached = {**known, **others()}
        return [notice for notice in notices if reached.get(recipients[notice.id] or "", True)]

    def ask(self, batch: Batch, players: Iterable[str]) -> Callable[[], Mapping[str, bool]]:
        """Have the batch ask whether mails for these players reach them; the function that tells
        it by player, once the batch was sent."""
        if not self._mail_server:
            return dict
        ways = {
            player: (
                batch.ask(self._players.find_query(player).then(_has_address)),
                batch.ask(has_channels_query(player)),
            )
            for player in players
        }
        return lambda: {player: any(way.get() for way in asked) for player, asked in ways.items()}


def _has_address(player: Player | None) -> bool:
    return player is not None and bool(player.email)


def _player(notice: Notice) -> str | None:
    """The player to whom a notice is mailed."""
    parts = parse_notice_id(notice.id)
    is_mail = parts.transport == "mail" and parts.recipient != GUEST
    return parts.recipient if is_mail else None
