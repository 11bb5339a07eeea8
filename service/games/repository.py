"""Games by id: read from their logs, and cached in this process. Rounds are found among the lines
of a log without parsing each line."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import engine
from engine import chain
from engine.events import RoundEnded, RoundStarted
from service.core.cache import ThreadSafeCache, recently_used
from service.core.errors import RequestRejected
from service.core.redis.batch import Query
from service.eventlog import EventStore, UnreadableLog, legible
from service.games import permissions
from service.games.stored_game import StoredGame, Unreadable, fold

_ROUND_STARTED: Final = f'"type":"{RoundStarted.TYPE}"'
_ROUND_ENDED: Final = f'"type":"{RoundEnded.TYPE}"'
"""The part of a line that gives its type.

No player's text can contain it, because quotes are escaped.
"""


def round_start(texts: Sequence[str]) -> int | None:
    """The index of the line that begins the round of the last line.

    None if it is not among these lines, or no line comes before it.
    """
    for place in range(len(texts) - 1, 0, -1):
        if _ROUND_STARTED in texts[place]:
            return place
    return None


def follows_another(texts: Sequence[str], start: int) -> bool:
    """Whether the round that begins at index `start` is not the first of its match."""
    return _ROUND_ENDED in texts[start - 1]


def round_of(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The lines of one round; `before` ends with an event of it, `after` follows.

    The first round includes the lines before it, the last one those after it.
    """
    start = round_start(before)
    is_first = start is None or not follows_another(before, start)
    lines = [*(before if is_first else before[start:])]
    for text in after:
        if _ROUND_STARTED in text and _ROUND_ENDED in lines[-1]:
            break
        lines.append(text)
    return lines


LONGEST_ROUND: Final = 400
"""The number of last lines of a log that surely include a round: few have half as many."""
_SEATED: Final = 2
"""The number of events before the first round: making the game and joining it."""


class RecentEvents(NamedTuple):
    """The current game, and the last lines of its log, oldest first."""

    stored: StoredGame
    lines: list[str]


@dataclass(eq=False, repr=False)
class GameRepository:
    """Games by id. Caches the recent ones in this process, so that only the log's tail is read.

    Every game that is read comes from here, with its seal if the day of its deal lasts. `now` gives
    unix seconds.
    """

    _events: EventStore
    _now: Callable[[], float]
    _recent: ThreadSafeCache[str, StoredGame] = field(
        init=False, default_factory=lambda: recently_used(1000)
    )

    def cached(self, game_id: str) -> StoredGame | None:
        """The cached game, None without one; its log may have newer events."""
        return self._recent.get(game_id)

    def latest(self, game_id: str) -> StoredGame | None:
        """The current game, None if there is no such game."""
        return self._events.execute(self.game_query(game_id))

    def latest_of(self, game_ids: Iterable[str]) -> dict[str, StoredGame | Unreadable | None]:
        """These games by id, read in one round trip; an unreadable one gives its error."""
        ids = [*game_ids]
        return dict(zip(ids, self._events.execute_all(map(self.listed_query, ids)), strict=True))

    def listed_query(self, game_id: str) -> Query[StoredGame | Unreadable | None]:
        """The query for one of many games: a log that cannot be read gives its error."""
        query = self.game_query(game_id)

        def parse(reply: object) -> StoredGame | Unreadable | None:
            try:
                return query.parse(reply)
            except (engine.UnknownEvent, UnreadableLog) as error:
                return error

        return Query(query.command, parse, takes_errors=True)

    def game_query(self, game_id: str) -> Query[StoredGame | None]:
        """The query that `latest` executes, for the lines that are not cached."""
        return self._stored_query(game_id).then(self._unsealed)

    def _stored_query(self, game_id: str) -> Query[StoredGame | None]:
        cached = self._recent.get(game_id)
        if cached is None:
            return self._events.last_events_query(game_id, LONGEST_ROUND).then(
                lambda texts: self._cached(self._folded(game_id, texts))
            )
        if cached.game.over:
            # The log may be compacted: expanding it for its last line would cost too much.
            version = self._events.version_query(game_id)
            return version.then(
                lambda now: cached if now == cached.version else self._read_again(game_id)
            )
        tail = self._events.events_query(game_id, after=cached.version - 1)
        return tail.then(lambda texts: self._continued(cached, texts))

    def recent_query(self, game_id: str) -> Query[RecentEvents | None]:
        """The query for the game and the last lines of its log, `LONGEST_ROUND` at most.

        Its result is None for a game that does not exist.
        """

        def parse(texts: list[str]) -> RecentEvents | None:
            stored = self._unsealed(self._after_last(game_id, texts))
            return None if stored is None else RecentEvents(stored, texts)

        return self._events.last_events_query(game_id, LONGEST_ROUND).then(parse)

    def _after_last(self, game_id: str, texts: list[str]) -> StoredGame | None:
        """The game after these last lines of its log, starting from the cached game."""
        if (cached := self._recent.get(game_id)) is not None and texts:
            with legible(f"game {game_id}"):
                first: int = json.loads(texts[0])["seq"]
            if first <= cached.version < first + len(texts):
                return self._continued(cached, texts[cached.version - first :])
        return self._cached(self._folded(game_id, texts))

    def _continued(self, cached: StoredGame, texts: list[str]) -> StoredGame | None:
        """The game after these lines, the first of which is the last line of the game `cached`.

        A failover of Redis may lose the last events of a game, and others may take their place.
        """
        last, *tail = texts or [""]
        if f'"hash":"{cached.head}"' not in last:
            return self._read_again(cached.id)
        return self._cached(fold(cached.id, cached, tail)) if tail else cached

    def _read_again(self, game_id: str) -> StoredGame | None:
        self._recent.drop(game_id)
        texts = self._events.execute(self._events.last_events_query(game_id, LONGEST_ROUND))
        return self._cached(self._folded(game_id, texts))

    def _folded(self, game_id: str, texts: list[str]) -> StoredGame | None:
        with legible(f"game {game_id}"):
            return self._from_end(game_id, texts)

    def _from_end(self, game_id: str, texts: list[str]) -> StoredGame | None:
        """The game after these last lines of its log.

        Of a match, only its first event and the round of the last line are read.
        """
        if not texts or json.loads(texts[0])["seq"] == 1:
            return fold(game_id, None, texts)
        start = round_start(texts)
        if start is None or not follows_another(texts, start):
            upto = json.loads(texts[-1])["seq"]
            return fold(game_id, None, self._events.read(game_id, upto=upto))
        made = fold(game_id, None, self._events.read(game_id, upto=_SEATED))
        assert made is not None, "the log has a beginning"
        ended: chain.StoredEvent = json.loads(texts[start - 1])
        game = engine.between_rounds(made.game, chain.to_event(ended), ended["seq"])
        before = made._replace(game=game, head=ended["hash"], latest=ended["at"], turn_since=None)
        return fold(game_id, before, texts[start:])

    def _cached(self, game: StoredGame | None) -> StoredGame | None:
        if game is not None:
            self.keep(game)
        return game

    def get(self, game_id: str, version: int | None = None) -> StoredGame:
        """The current game, or the game after event `version`.

        Raises `RequestRejected`: `game-not-found`, `game-removed`, `version-not-found`.
        """
        latest = self.latest(game_id)
        if latest is None:
            raise self.missing(game_id)
        if version is None:
            return latest
        query = self.before_query(game_id, version)
        return self.at(latest, version, lambda: self._events.execute(query))

    def missing(self, game_id: str) -> RequestRejected:
        """The rejection of a request about a game without a log: it never existed, or was
        removed."""
        removal = self._events.removal(game_id)
        return permissions.hidden() if removal is None else permissions.removed(removal)

    def before_query(self, game_id: str, version: int) -> Query[list[str]]:
        """The query for the lines up to this version, `LONGEST_ROUND` at most."""
        return self._events.last_events_query(game_id, LONGEST_ROUND, version)

    def at(self, latest: StoredGame, version: int, before: Callable[[], list[str]]) -> StoredGame:
        """The game after event `version`; `before` gives the result of `before_query`.

        Raises `RequestRejected`: `version-not-found`.
        """
        if version == latest.version:
            return latest
        if version > latest.version:
            raise RequestRejected(
                "version-not-found", "The game has no event %(number)s yet.", {"number": version}
            )
        game = self._folded(latest.id, before())
        assert game is not None, "an event is never taken back"
        return game._replace(imported=latest.imported, sealed=latest.sealed)

    def _unsealed(self, stored: StoredGame | None) -> StoredGame | None:
        """The game without its seal if its day is over."""
        return stored and stored.unsealed_at(self._now())

    def keep(self, game: StoredGame) -> None:
        """Cache a game that was just read or written."""
        self._recent.put(game.id, game)
