"""The entries of players' feeds, in the player's own slot.

st:{PLAYER}:feed              hash: name, and last, the number of the last entry
st:{PLAYER}:feed:versions     hash: id of an unfinished game to its version in the feed
st:{PLAYER}:feed:entries      stream NUMBER-0: game, seq; of other news game, kind, detail

A feed lives for 30 days after it was last read, and holds some 10,000 entries. If a feed is lost,
its successor has another name, so that old cursors are recognised.

News for a player other than events of games: messages, offers and challenges of others. They
refresh the player's open pages, and are in the feed of all the player's games.

st:{PLAYER}:messages:moved    the number of signals, for a day after the last
st:{PLAYER}:messages:wakes    the number of refreshes of others' pages by this player, for a minute
                              after the first
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, cast

from service.core import ids
from service.core.redis.batch import Query, Run, execute, execute_with_runs
from service.core.redis.client import Client, Lua, counted, news_channel, script_beside
from service.core.times import DAY, MINUTE

LIBRARY: Final = script_beside(__file__, "feed")
"""The Lua source that precedes each script that writes feeds; its first keys are `feed_keys`."""
CURSOR: Final = r"[a-z2-7]{8}\.[0-9]{1,12}"
"""The pattern of a cursor: the name of the feed, and the number of an entry."""


EVENT: Final = "event"
"""The kind of the entries that are events."""
_NAME_LENGTH: Final = 8


class FeedState(NamedTuple):
    """A feed: its name, and the numbers of its last entry and of the first still stored."""

    name: str
    last: int
    first: int

    def cursor(self, number: int) -> str:
        """The cursor after this entry."""
        return f"{self.name}.{number}"

    def number_at(self, cursor: str) -> int | None:
        """The number of the entry at this cursor; None for another feed's cursor, or if entries
        after it were deleted."""
        name, _, number = cursor.partition(".")
        is_valid = name == self.name and self.first - 1 <= int(number) <= self.last
        return int(number) if is_valid else None


class Entry(NamedTuple):
    """An event of a game, by its number in the feed; or news of a `kind` (see `Announcement`).

    `detail` is the number of the event.
    """

    number: int
    game: str
    kind: str
    detail: str


@dataclass(eq=False, repr=False)
class FeedLog:
    """The feeds of all players."""

    _up_to = Lua(__file__, "feed_up_to", LIBRARY)

    _redis: Client

    def up_to(self, player: str, versions: Mapping[str, int]) -> FeedState:
        """Update the feed to these versions of the unfinished games, or start it there."""
        state = self._advance(player, ids.player_id()[:_NAME_LENGTH], versions)
        assert state is not None, "a feed with a name begins"
        return state

    def go_on(self, player: str, versions: Mapping[str, int]) -> FeedState | None:
        """Update the feed to these versions of some of the games; None if there is no feed."""
        return self._advance(player, "", versions)

    def _advance(self, player: str, name: str, versions: Mapping[str, int]) -> FeedState | None:
        pairs = [part for pair in versions.items() for part in pair]
        answer = self._up_to(keys=[*feed_keys(player)], args=[name, *pairs])
        return FeedState(*cast(tuple[str, int, int], answer)) if answer else None

    def entries(self, player: str, after: int, limit: int) -> list[Entry]:
        """The entries after the one with this number."""
        stream = feed_keys(player)[2]
        stored = self._redis.xrange(stream, f"{after + 1}-0", "+", count=limit)
        return [
            Entry(
                int(number.partition("-")[0]),
                fields["game"],
                fields.get("kind", EVENT),
                fields.get("detail") or fields["seq"],
            )
            for number, fields in cast(list[tuple[str, dict[str, str]]], stored)
        ]

    def drop(self, player: str) -> None:
        self._redis.unlink(*feed_keys(player))


def feed_keys(player: str) -> tuple[str, str, str]:
    """The keys of a player's feed, all in the player's slot."""
    feed = f"st:{{{player}}}:feed"
    return feed, f"{feed}:versions", f"{feed}:entries"


MOST_WAKES: Final = 30
"""The most refreshes a minute of others' pages by one player.

Those pages see later changes when they refresh by themselves, within a minute.
"""
_LIFE: Final = DAY

Kind = Literal["challenge", "message", "offer"]


class Announcement(NamedTuple):
    """News about a game, or a challenge to one, by its id.

    `detail` distinguishes news of one kind: the number of a message, the status of a challenge, or
    the field, number and state of an offer.
    """

    kind: Kind
    game: str
    detail: str


@dataclass(eq=False, repr=False)
class PlayerNews:
    """Signals news to players. A signal may be lost: pages also refresh by themselves, and lists
    show everything that is still open."""

    _announce = Lua(__file__, "player_news", LIBRARY)

    _redis: Client

    def publish(self, players: Iterable[str], by: str, news: Announcement | None) -> None:
        """Refresh these players' pages after a change by the player `by`, and add the news to their
        feeds; None: there is nothing to add."""
        wakes = counted(self._redis, _wakes_key(by), MINUTE) <= MOST_WAKES
        runs = [
            Run(
                self._announce,
                [*feed_keys(player), _key(player)],
                [_LIFE, news_channel(player) if wakes or player == by else "", *(news or ())],
            )
            for player in players
        ]
        execute_with_runs(self._redis, [], runs)

    def count(self, player: str) -> int:
        """The number of signals to this player's pages. A change of this number means news."""
        return execute(self._redis, self.count_query(player))

    def count_query(self, player: str) -> Query[int]:
        """Return the query of `count`, to be sent together with others."""
        return Query(("GET", _key(player)), lambda reply: int(reply or 0))

    def forget(self, player: str) -> None:
        """Delete this player's count."""
        self._redis.unlink(_key(player), _wakes_key(player))


def _key(player: str) -> str:
    return f"st:{{{player}}}:messages:moved"


def _wakes_key(player: str) -> str:
    return f"st:{{{player}}}:messages:wakes"
