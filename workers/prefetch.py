"""What the delivery of notices needs to know, read for many of them in one round trip."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from service.accounts.channels import Channel
from service.accounts.mail_choice import MailChoice
from service.accounts.mail_preferences import subscription_of
from service.accounts.player import Player
from service.core.redis.batch import Query, execute_many
from service.eventlog import NoticeParts, parse_notice_id
from service.games.reading.views import people_in
from service.games.repository import RecentEvents
from workers.context import WorkerContext


class Prefetched(NamedTuple):
    """A notice, and how what it is about stands now.

    `game` is None if there is no such game, `recipient` if there is no such player. `wanted` tells
    whether the recipient wants this kind of mail; it says nothing of a recipient who is known by
    an address alone. `choice` is how mail comes to the recipient, with no game but this one;
    `channels` are the recipient's own.
    """

    notice: NoticeParts
    game: RecentEvents | None
    side_state: Mapping[str, str]
    recipient: Player | None
    wanted: bool
    choice: MailChoice
    channels: list[Channel]
    has_failed: bool

    def wanting(self) -> list[Channel]:
        """The recipient's channels that are to tell this notice."""
        kind, game = self.notice.kind, self.notice.subject
        return [channel for channel in self.channels if channel.tells(kind, game)]


def prefetch(context: WorkerContext, notice_ids: Sequence[str]) -> list[Prefetched | Exception]:
    """Read what these notices need; the error in place of each that cannot be read."""
    notices = [parse_notice_id(notice_id) for notice_id in notice_ids]
    queries = [_queries(context, *pair) for pair in zip(notice_ids, notices, strict=True)]
    replies = iter(execute_many(context.container.redis, [one for many in queries for one in many]))
    found = [
        _parsed(notice, [(query, next(replies)) for query in many])
        for notice, many in zip(notices, queries, strict=True)
    ]
    _warm_names(context, found)
    return found


def _queries(context: WorkerContext, notice_id: str, notice: NoticeParts) -> list[Query[Any]]:
    """In the order of the members of `Prefetched`."""
    container = context.container
    return [
        container.games.recent_query(notice.subject),
        container.log.side_state.query(notice.subject),
        container.players.find_query(notice.recipient),
        container.mail_preferences.wanted_query(subscription_of(notice.recipient, notice.kind)),
        container.mail_preferences.choice_query(notice.recipient, notice.subject),
        container.channels.query(notice.recipient),
        container.dead_letters.has_failed_query(notice_id),
    ]


def _parsed(
    notice: NoticeParts, answers: Sequence[tuple[Query[Any], Any]]
) -> Prefetched | Exception:
    try:
        return Prefetched(notice, *(query.parse(reply) for query, reply in answers))
    except Exception as error:  # a damaged log stops its own notices only
        return error


def _warm_names(context: WorkerContext, found: Sequence[Prefetched | Exception]) -> None:
    """Read the names that mails need in one round trip; they are cached for a minute."""
    games = [one.game.stored for one in found if isinstance(one, Prefetched) and one.game]
    context.container.players.names({player for game in games for player in people_in(game)})
