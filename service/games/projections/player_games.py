"""The games of a player, newest first: a projection in the player's own slot.

    st:{PLAYER}:games:versions    hash: game id to the version that the rest shows
    st:{PLAYER}:games:about       hash: game id to its edition, the opponent and whether I sit in it
    st:{PLAYER}:games:STATUS       sorted sets, all scores 0, members CREATED.GAME in byte order

Each game is applied whole and only forward, so applying again, late or twice does no harm, and
losing it all loses nothing: it is rebuilt from the logs. Whose turn it is is not in it: most moves
change nothing here, and take one write, to the log.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast

from service.accounts.players import player_key
from service.accounts.tokens import tokens_key
from service.core.redis.batch import Args, Keys, run_many
from service.core.redis.client import Client
from service.core.timestamps import unix
from service.games.projections import feed_log
from service.games.repository import StoredGame

STATUSES: Final = ("open", "active", "finished", "aborted")
PLACE: Final = r"[0-9]{10}\.[a-z2-7]{20}"
"""What a place in a list looks like: it is the member that a page ended with."""
LOBBY: Final = "lobby"
"""Whose games are those that anyone may join: an index like a player's."""
MADE: Final = "made"
LISTED: Final = "listed"
"""The repository of the games that a player has made and that wait for somebody else."""
COUNTED: Final = ("active", "finished")
"""The statuses in which everybody may know of a game that is not private."""
_PUBLIC: Final = {status: f"public:{status}" for status in COUNTED}
_SHELVES: Final = ("all", *STATUSES, MADE, LISTED, *_PUBLIC.values())
_NOBODY: Final = "-"
_BATCH: Final = 101


class Wanted(NamedTuple):
    """Which games are looked for: each part that is given must fit.

    `opponent` is a player's id; `seated` leaves out those that one is only invited to.
    """

    status: str | None = None
    opponent: str | None = None
    edition: str | None = None
    seated: bool = False

    def fits(self, status: str) -> bool:
        """Whether a game of this status is looked for, as far as its status goes."""
        return self.status in (None, status)


EVERY: Final = Wanted()


class Page(NamedTuple):
    """Ids of games, and the place where the next page begins, None at the end."""

    game_ids: list[str]
    next: str | None


class Counts(NamedTuple):
    """Games that a player has made and nobody has joined, how many of these are in the lobby, and
    games that go on."""

    made: int
    listed: int
    active: int


class PlayerIndex:
    """Which games a player sits in or is invited to, by status, opponent and edition."""

    def __init__(self, redis: Client) -> None:
        self._redis = redis
        script = Path(__file__).with_name("player_games.lua").read_text()
        self._apply = redis.register_script(feed_log.LIBRARY + script)

    def apply(self, *games: StoredGame, anew: bool = False, absent_too: bool = False) -> None:
        """Let the index of everyone concerned show these games as they stand, in one round trip.

        A later version that it shows already stays, unless it is to be written `anew`. There is
        none for players who are not here, unless it is for those who are `absent_too`.
        """
        runs = [
            _run(player, stored, anew, player != LOBBY and not absent_too)
            for stored in games
            for player in _concerned(stored)
        ]
        run_many(self._redis, self._apply, runs)

    def entries(self) -> Iterator[tuple[str, str]]:
        """Every player in the index, with each game that it knows of."""
        for key in self._redis.scan_iter(match=versions_key("*"), count=1000):
            player = key.removeprefix("st:{").partition("}")[0]
            for game_id in cast(list[str], self._redis.hkeys(key)):
                yield player, game_id

    def players(self) -> Iterator[str]:
        """Every player in the index."""
        seen: set[str] = set()  # a scan may give a key twice
        for key in self._redis.scan_iter(match=versions_key("*"), count=1000):
            player = key.removeprefix("st:{").partition("}")[0]
            if player != LOBBY and player not in seen:
                seen.add(player)
                yield player

    def forget(self, player: str, game_id: str) -> None:
        """Take a game that is not there any more out of a player's index."""
        for repository in _SHELVES:
            # No log is left to tell when it was created, which its member begins with.
            for member, _ in self._redis.zscan_iter(_key(player, repository), f"*.{game_id}"):
                self._redis.zrem(_key(player, repository), member)
        self._redis.hdel(_key(player, "about"), game_id)
        self._redis.hdel(versions_key(player), game_id)

    def drop(self, player: str) -> None:
        """Forget all that is known of a player."""
        parts = (_key(player, part) for part in ("about", *_SHELVES))
        self._redis.unlink(versions_key(player), *parts, *feed_log.feed_keys(player))

    def unfinished(self, player: str) -> list[str]:
        """The ids of the player's games that are not over."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for repository in ("open", "active"):
                pipeline.zrange(_key(player, repository), 0, -1)
            return [_game_of(member) for members in pipeline.execute() for member in members]

    def counts(self, player: str) -> Counts:
        """How many games the player has that count for the caps (`service.games.caps`)."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for repository in (MADE, LISTED, "active"):
                pipeline.zcard(_key(player, repository))
            return Counts(*map(int, pipeline.execute()))

    def created_at(self, player: str, moment: str) -> list[str]:
        """The ids of the player's games that were made at this moment (RFC 3339)."""
        second = _second(moment)
        found = self._redis.zrangebylex(_key(player, "all"), f"[{second}.", f"({second}/")
        return [_game_of(member) for member in cast(list[str], found)]

    def public_counts(self, player: str) -> dict[str, int]:
        """How many games that are not private the player sits in, by status."""
        with self._redis.pipeline(transaction=False) as pipeline:
            for repository in _PUBLIC.values():
                pipeline.zcard(_key(player, repository))
            return dict(zip(COUNTED, pipeline.execute(), strict=True))

    def page(self, player: str, wanted: Wanted, after: str | None, limit: int) -> Page:
        """Up to `limit` games of this player, the newest first, after the place `after`."""
        shown: list[str] = []
        for member in self._members(player, wanted, after):
            if len(shown) == limit:
                return Page([_game_of(member) for member in shown], shown[-1])
            shown.append(member)
        return Page([_game_of(member) for member in shown], None)

    def _members(self, player: str, wanted: Wanted, after: str | None) -> Iterator[str]:
        repository = _key(player, wanted.status or "all")
        start = "+" if after is None else f"({after}"
        while True:
            found = self._redis.zrevrangebylex(repository, start, "-", 0, _BATCH)
            members = cast(list[str], found)
            yield from self._fitting(player, wanted, members)
            if len(members) < _BATCH:
                return
            start = f"({members[-1]}"

    def _fitting(self, player: str, wanted: Wanted, members: Sequence[str]) -> Sequence[str]:
        if not members or wanted == Wanted(wanted.status):
            return members
        games = [_game_of(member) for member in members]
        about = cast(list[str | None], self._redis.hmget(_key(player, "about"), games))
        return [member for member, told in zip(members, about, strict=True) if _fits(told, wanted)]


def place_of(stored: StoredGame) -> str:
    """The place of this game in every list."""
    return _member(stored)


def versions_key(player: str) -> str:
    """The key of the versions of a player's games that the index shows."""
    return _key(player, "versions")


def same_place(before: StoredGame | None, after: StoredGame) -> bool:
    """Whether the index shows both versions of a game alike."""
    if before is None:
        return False
    if before.game.status == after.game.status and before.game.players is after.game.players:
        return True
    return _places(before) == _places(after)


def check_indexable(stored: StoredGame) -> None:
    """Raise what `PlayerIndex.apply` would, for a game that no index can show."""
    _places(stored)
    _member(stored)


def _run(player: str, stored: StoredGame, anew: bool, present: bool) -> tuple[Keys, Args]:
    """The keys and arguments that let the index of this player show the game."""
    shelves = _shelves_of(player, stored)
    keys = [
        *feed_log.feed_keys(player),
        versions_key(player),
        _key(player, "about"),
        player_key(player),
        tokens_key(player),
        *(_key(player, repository) for repository in _SHELVES),
    ]
    args: list[str | int] = [
        *(stored.id, stored.version, _member(stored), int(anew)),
        *(_about(player, stored), int(present), int(stored.game.over)),
        *(int(repository in shelves) for repository in _SHELVES),
    ]
    return keys, args


def _places(stored: StoredGame) -> dict[str, tuple[frozenset[str], str]]:
    return {
        player: (_shelves_of(player, stored), _about(player, stored))
        for player in _concerned(stored)
    }


def _about(player: str, stored: StoredGame) -> str:
    others = [other for other in (*stored.players, stored.invited) if other not in (None, player)]
    seated = int(player in stored.players)
    return f"{stored.game.edition} {others[0] if others else _NOBODY} {seated}"


def _fits(about: str | None, wanted: Wanted) -> bool:
    edition, opponent, seated = (about or f"- {_NOBODY} 0").split(" ")
    return (
        wanted.edition in (None, edition)
        and wanted.opponent in (None, opponent)
        and (seated == "1" or not wanted.seated)
    )


def _concerned(stored: StoredGame) -> list[str]:
    invited = [] if stored.invited is None else [stored.invited]
    lobby = [LOBBY] if stored.listed else []
    return sorted({*stored.players, *invited, *lobby})


def _shelves_of(player: str, stored: StoredGame) -> frozenset[str]:
    status = stored.game.status
    if player in stored.players:
        further = {MADE} if status == "open" else set()
        if status == "open" and stored.listed:
            further.add(LISTED)
        if status in _PUBLIC and not stored.private:
            further.add(_PUBLIC[status])
        return frozenset({"all", status} | further)
    # For the invited, and in the lobby, it is there until somebody takes the seat.
    return frozenset(["all", "open"] if status == "open" else [])


def _member(stored: StoredGame) -> str:
    return f"{_second(stored.created)}.{stored.id}"


def _second(moment: str) -> str:
    return f"{unix(moment):010d}"


def _game_of(member: str) -> str:
    return member.partition(".")[2]


def _key(player: str, repository: str) -> str:
    return f"st:{{{player}}}:games:{repository}"
