"""Which players a notice can reach: one for nobody is not even stored."""

from collections.abc import Sequence

from service.accounts.channels.store import has_channels_query
from service.accounts.player import Player
from service.accounts.players import Players
from service.core.redis.batch import execute_all
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

    def reachable(self, notices: Sequence[Notice]) -> list[Notice]:
        """These notices without mails that would reach nobody; one round trip if there are mails.

        Nothing is cached: the time must not tell one player whether another has an address.
        """
        recipients = {notice.id: _player(notice) for notice in notices}
        asked = sorted({player for player in recipients.values() if player is not None})
        if not self._mail_server or not asked:
            return list(notices)
        addressed = [self._players.find_query(player).then(_has_address) for player in asked]
        others = [has_channels_query(player) for player in asked]
        answers = execute_all(self._redis, [*addressed, *others])
        pairs = zip(asked, answers, answers[len(asked) :], strict=False)
        nowhere = {player for player, *ways in pairs if not any(ways)}
        return [notice for notice in notices if recipients[notice.id] not in nowhere]


def _has_address(player: Player | None) -> bool:
    return player is not None and bool(player.email)


def _player(notice: Notice) -> str | None:
    """The player to whom a notice is mailed."""
    parts = parse_notice_id(notice.id)
    is_mail = parts.transport == "mail" and parts.recipient != GUEST
    return parts.recipient if is_mail else None
