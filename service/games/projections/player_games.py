"""The games of a player, newest first: a projection in the player's own slot.

    st:{PLAYER}:games:versions    hash: game id to the version that the other keys reflect
    st:{PLAYER}:games:about       hash: game id to its edition, the opponent, whether the
                                  player sits in it, and its end
    st:{PLAYER}:games:STATUS       sorted sets, all scores 0, members CREATED.GAME in byte order

Each game is applied whole and only forward, so applying it late or twice does no harm, and
everything can be rebuilt from the logs. The index does not say whose turn it is, so most moves do
not change it and take one write, to the log.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

from redis.commands.core import Script

from service.accounts.player import PLAYER
from service.accounts.tokens import TOKENS
from service.core import ids
from service.core.redis.batch import Query, Run, execute_with_runs
from service.core.redis.client import Client, Lua, news_channel
from service.core.times import unix
from service.games.daily_store import DailyTable
from service.games.projections import feed_log
from service.games.stored_game import StoredGame

STATUSES: Final = ("open", "active", "finished", "aborted")
CURSOR: Final = r"[0-9]{10}\.[a-z2-7]{20}"
"""The pattern of a cursor: the member that a page ended with."""
LOBBY: Final = "lobby"
"""The id under which listed games have an index like a player's: `open` are those that anyone may
join. Whoever makes or joins a listed game agrees to be found, so those that began stay."""
MOST_PUBLIC: Final = 10_000
"""The most finished games in that index: the newest."""
ARCHIVE: Final = "archive"
"""The id under which the games that might be studied have an index: all that were played to their
end here and are not private. Its members are DAY.NUMBER.GAME, by the day of the end; `about` holds
both players, north first."""
ARCHIVED: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.[0-9a-f]{20}"
"""The pattern of a position in the archive. It names no game: its number follows from the game's
secret, which the record holds anyway."""
MADE: Final = "made"
"""The list of the games that a player has created and that wait for a second player."""
LISTED: Final = "listed"
"""The list of those games in `MADE` that are in the lobby."""
PRACTICE: Final = "practice"
"""The list of a player's practice games, finished or not."""
PRACTISING: Final = "practising"
"""The list of those that go on."""
FROM_LOBBY: Final = "from-lobby"
"""The list of a player's finished games from the lobby, which anybody may find."""
COUNTED: Final = ("active", "finished")
"""The statuses of games that public counts include, unless private."""
_PUBLIC: Final = {status: f"public:{status}" for status in COUNTED}
_LISTS: Final = (
    "all",
    *STATUSES,
    MADE,
    LISTED,
    PRACTICE,
    PRACTISING,
    FROM_LOBBY,
    *_PUBLIC.values(),
)
_NOBODY: Final = "-"
_SHARED: Final = (LOBBY, ARCHIVE)
_BATCH: Final = 101


class GameFilter(NamedTuple):
    """A filter of games: every given condition must be met.

    `opponent` is a player's id; `seated` leaves out games to which the player is only invited, and
    `ended_after` (an RFC 3339 moment) games that did not end after that moment.
    """

    status: str | None = None
    opponent: str | None = None
    edition: str | None = None
    seated: bool = False
    ended_after: str = ""

    def fits(self, status: str) -> bool:
        return self.status in (None, status)


EVERY: Final = GameFilter()


class Page(NamedTuple):
    """Ids of games, and the cursor of the next page, None at the end."""

    game_ids: list[str]
    next: str | None


class Candidate(NamedTuple):
    """A game that might be studied: its position, its id, and its players, north first."""

    position: str
    game_id: str
    players: list[str]


class Counts(NamedTuple):
    """Numbers of a player's games: created and not joined, those of them in the lobby, running, and
    those for practice, finished or not, and those of these that go on."""

    made: int
    listed: int
    active: int
    practice: int
    practising: int


@dataclass(eq=False, repr=False)
class PlayerIndex:
    """The index of the games that a player sits in or is invited to, by status, opponent and
    edition."""

    _apply = Lua(__file__, "player_games", feed_log.LIBRARY)

    _redis: Client
    _daily: DailyTable

    def apply(self, *games: StoredGame, replace: bool = False, absent_too: bool = False) -> None:
        """Update the index of everyone concerned, and the table of a deal of the day, to these
        versions of games, in one round trip.

        An indexed later version stays, unless `replace` is set. Players who do not exist here get
        no index, unless `absent_too` is set.
        """
        execute_with_runs(
            self._redis, [], self.runs(*games, replace=replace, absent_too=absent_too)
        )

    def runs(
        self, *games: StoredGame, replace: bool = False, absent_too: bool = False
    ) -> list[Run]:
        """The script runs of `apply`, to be executed with others."""
        of_players = [
            _run(self._apply, player, stored, replace, player not in _SHARED and not absent_too)
            for stored in games
            for player in _concerned(stored)
        ]
        return of_players + [run for stored in games for run in self._daily.runs(stored)]

    def entries(self) -> Iterator[tuple[str, str]]:
        """Every player in the index, with each of the player's games."""
        for key in self._redis.scan_iter(match=versions_key("*"), count=1000):
            player = key.removeprefix("st:{").partition("}")[0]
            for game_id in cast(list[str], self._redis.hkeys(key)):
                yield player, game_id

    def players(self) -> Iterator[str]:
        seen: set[str] = set()  # a scan may give a key twice
        for key in self._redis.scan_iter(match=versions_key("*"), count=1000):
            player = key.removeprefix("st:{").partition("}")[0]
            if player not in seen and player not in _SHARED:
                seen.add(player)
                yield player

    def forget(self, player: str, game_id: str, cursor: str | None = None) -> None:
        """Remove a game that no longer exists from a player's index.

        `cursor` is that of the game; without it, the player's lists are searched.
        """
        for name in _LISTS:
            # A member begins with the game's creation time, and no log is left to tell.
            found = self._redis.zscan_iter(_key(player, name), f"*.{game_id}") if not cursor else ()
            for member in [cursor] if cursor else [member for member, _ in found]:
                self._redis.zrem(_key(player, name), member)
        self._redis.hdel(_key(player, "about"), game_id)
        self._redis.hdel(versions_key(player), game_id)
        self._redis.hdel(feed_log.feed_keys(player)[1], game_id)

    def drop(self, player: str) -> None:
        parts = (_key(player, part) for part in ("about", *_LISTS))
        self._redis.unlink(versions_key(player), *parts, *feed_log.feed_keys(player))

    def unfinished(self, player: str) -> list[str]:
        """The ids of the player's games that are not over."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for name in ("open", "active"):
                pipeline.zrange(_key(player, name), 0, -1)
            return [_game_of(member) for members in pipeline.execute() for member in members]

    def counts(self, player: str) -> Counts:
        """The numbers of the player's games that count for the limits
        (`service.games.limits`)."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for name in (MADE, LISTED, "active", PRACTICE, PRACTISING):
                pipeline.zcard(_key(player, name))
            return Counts(*map(int, pipeline.execute()))

    def created_at(self, player: str, moment: str) -> list[str]:
        """The ids of the player's games that were made at this moment (RFC 3339)."""
        second = _second(moment)
        members = self._redis.zrangebylex(_key(player, "all"), f"[{second}.", f"({second}/")
        return [_game_of(member) for member in cast(list[str], members)]

    def public_counts(self, player: str) -> dict[str, int]:
        """The number of the player's games by status, without private ones."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for name in _PUBLIC.values():
                pipeline.zcard(_key(player, name))
            return dict(zip(COUNTED, pipeline.execute(), strict=True))

    def page(self, player: str, wanted: GameFilter, after: str | None, limit: int) -> Page:
        """Up to `limit` games of this player, newest first, after the cursor `after`."""
        shown: list[str] = []
        for member in self._members(player, wanted, after):
            if len(shown) == limit:
                return Page([_game_of(member) for member in shown], shown[-1])
            shown.append(member)
        return Page([_game_of(member) for member in shown], None)

    def candidates(self, after: str, before: str, limit: int) -> list[Candidate]:
        """Up to `limit` games that might be studied, the oldest end first.

        `after` is a position or a day; `before` a day that is not included any more.
        """
        # A slash follows a full stop, so this is behind everything that begins so.
        key, start = _key(ARCHIVE, "finished"), f"({after}/"
        members = cast(list[str], self._redis.zrangebylex(key, start, f"({before}", 0, limit))
        parts = [member.rpartition(".") for member in members]
        games = [game for _, _, game in parts]
        about = cast(list[str], self._redis.hmget(_key(ARCHIVE, "about"), games) if games else [])
        return [
            Candidate(position, game, players.split(" "))
            for (position, _, game), players in zip(parts, about, strict=True)
        ]

    def newest_query(self, player: str, status: str, limit: int) -> Query[list[str]]:
        """The query for the ids of the player's newest games of a status, or of `all`."""
        command = ("ZREVRANGEBYLEX", _key(player, status), "+", "-", "LIMIT", 0, limit)
        return Query(command, lambda members: [_game_of(member) for member in members])

    def _members(self, player: str, wanted: GameFilter, after: str | None) -> Iterator[str]:
        games = _key(player, wanted.status or "all")
        start = "+" if after is None else f"({after}"
        while True:
            stored = self._redis.zrevrangebylex(games, start, "-", 0, _BATCH)
            members = cast(list[str], stored)
            yield from self._fitting(player, wanted, members)
            if len(members) < _BATCH:
                return
            start = f"({members[-1]}"

    def _fitting(self, player: str, wanted: GameFilter, members: Sequence[str]) -> Sequence[str]:
        if not members or wanted == GameFilter(wanted.status):
            return members
        games = [_game_of(member) for member in members]
        about = cast(list[str | None], self._redis.hmget(_key(player, "about"), games))
        return [
            member for member, fields in zip(members, about, strict=True) if _fits(fields, wanted)
        ]


def cursor_at(stored: StoredGame) -> str:
    """The cursor of a page that ends with this game, in every list."""
    return _member(stored)


def versions_key(player: str) -> str:
    return _key(player, "versions")


def same_entries(before: StoredGame | None, after: StoredGame) -> bool:
    """Whether the index is the same for both versions of a game."""
    if before is None:
        return False
    if before.game.status == after.game.status and before.game.players is after.game.players:
        return True
    return _entries_of(before) == _entries_of(after)


def check_indexable(stored: StoredGame) -> None:
    """Raise as `PlayerIndex.apply` would for a game that no index can hold."""
    _entries_of(stored)
    _member(stored)


def _run(script: Script, player: str, stored: StoredGame, replace: bool, present: bool) -> Run:
    """Return the script, keys and arguments that update the index of this player.

    `replace`: a later version too. `present`: do nothing if the player does not exist here.
    """
    lists, member = _lists_of(player, stored), _member(stored)
    if player == ARCHIVE:
        number = ids.digest(f"archive {stored.game.secret}")[:20]
        member = f"{(stored.ended or '').partition('T')[0]}.{number}.{stored.id}"
    keys = [
        *feed_log.feed_keys(player),
        versions_key(player),
        _key(player, "about"),
        PLAYER.key(player),
        TOKENS.key(player),
        *(_key(player, name) for name in _LISTS),
    ]
    args: list[str | int] = [
        *(stored.id, stored.version, member, int(replace)),
        *(_about(player, stored), int(present), int(stored.game.over), news_channel(player)),
        *(int(name in lists) for name in _LISTS),
        *([MOST_PUBLIC, _LISTS.index("finished")] if player == LOBBY else []),
    ]
    return Run(script, keys, args)


def _entries_of(stored: StoredGame) -> dict[str, tuple[frozenset[str], str]]:
    return {
        player: (_lists_of(player, stored), _about(player, stored)) for player in _concerned(stored)
    }


def _about(player: str, stored: StoredGame) -> str:
    if player == ARCHIVE:
        return " ".join(stored.players)
    others = [other for other in (*stored.players, stored.invited) if other not in (None, player)]
    seated = int(player in stored.players)
    opponent = others[0] if others else _NOBODY
    return f"{stored.game.edition} {opponent} {seated} {stored.ended or ''}"


def _fits(about: str | None, wanted: GameFilter) -> bool:
    # An entry without an end was written by an older version.
    edition, opponent, seated, ended = f"{about or f'- {_NOBODY} 0'} ".split(" ")[:4]
    return (
        wanted.edition in (None, edition)
        and wanted.opponent in (None, opponent)
        and (seated == "1" or not wanted.seated)
        and (ended > wanted.ended_after or not wanted.ended_after)
    )


def _concerned(stored: StoredGame) -> list[str]:
    invited = [] if stored.invited is None else [stored.invited]
    lobby = [LOBBY] if stored.listed and not stored.imported else []
    ended = stored.game.status == "finished" and not stored.imported and _is_public(stored)
    return sorted({*stored.players, *invited, *lobby, *([ARCHIVE] if ended else [])})


def _is_public(stored: StoredGame) -> bool:
    """Whether public counts and the archive may have this game."""
    return not stored.private and stored.is_real


def _lists_of(player: str, stored: StoredGame) -> frozenset[str]:
    status = stored.game.status
    if stored.daily is not None:  # it has a page of its own, and clutters no list
        return frozenset({"all"})
    if player in stored.players:
        further = {MADE} if status == "open" else set()
        if status == "open" and stored.listed:
            further.add(LISTED)
        if stored.practice is not None and not stored.imported:
            further |= {PRACTICE} | ({PRACTISING} if status == "active" else set())
        if status in _PUBLIC and _is_public(stored):
            further.add(_PUBLIC[status])
            if status == "finished" and stored.listed and not stored.imported:
                further.add(FROM_LOBBY)
        return frozenset({"all", status} | further)
    if player == ARCHIVE:
        return frozenset({status})
    if player == LOBBY:
        return frozenset({"all", status} if status != "aborted" else [])
    # They have it until somebody takes the seat.
    return frozenset(["all", "open"] if status == "open" else [])


def _member(stored: StoredGame) -> str:
    return f"{_second(stored.created)}.{stored.id}"


def _second(moment: str) -> str:
    return f"{unix(moment):010d}"


def _game_of(member: str) -> str:
    return member.partition(".")[2]


def _key(player: str, name: str) -> str:
    return f"st:{{{player}}}:games:{name}"
