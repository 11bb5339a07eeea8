"""Everybody's ratings: a projection of the results of all games, in one slot.

st:{ratings}:forms      hash: player, or PLAYER tactics, to rating, deviation, volatility,
                            the end of the latest rated game of this kind, and their number;
                            revision: the number of writes
    st:{ratings}:results    hash: game to its result and the forms of both before and after it
    st:{ratings}:order      sorted set: games by their ends, equal ones by id
    st:{ratings}:pairs      hash: WINNER LOSER to a number of games; of drawn ones first and second
                            in the order of their ids, with a = before them

The ratings are a fold of the results in this order. When a result arrives late, the games that
ended after it are rated again.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple

from service.core.redis.batch import Batch, Query, Run, execute, execute_all, execute_with_runs
from service.core.redis.client import Client, Lua
from service.eventlog import EventStore
from service.games.rating import (
    Form,
    Rated,
    Rating,
    Result,
    end_of,
    ended_early,
    field_of,
    fold,
    is_decided,
    rating_of,
    result_of,
)
from service.games.stored_game import StoredGame

_FORMS, _RESULTS, _ORDER, _PAIRS = _KEYS = (
    *("st:{ratings}:forms", "st:{ratings}:results"),
    *("st:{ratings}:order", "st:{ratings}:pairs"),
)
_REVISION: Final = "revision"
_AT_ONCE: Final = 500
"""The number of results that are written at once."""


class HeadToHead(NamedTuple):
    """The results of a player's games against another, as far as they count."""

    won: int
    lost: int
    drawn: int


class PlayerRating(NamedTuple):
    """A player's forms in the games without and with Tactic cards, and a reader's games against
    them; None for the player themselves, and for a reader who is not signed in."""

    player: str
    forms: Sequence[Form] = (Form(), Form())
    against: HeadToHead | None = None

    def at(self, now: float, *, tactics: bool) -> Rating:
        """The player's rating in this kind of game at this moment."""
        return rating_of(self.player, self.forms[tactics], now, tactics=tactics)


@dataclass(eq=False, repr=False)
class Ratings:
    """The ratings of one server."""

    _write = Lua(__file__, "ratings")

    _redis: Client
    _events: EventStore

    # Writing

    def apply(self, stored: StoredGame, along: Sequence[Run] = ()) -> None:
        """Rate a game if it is over, counts, and is not rated yet. Takes two round trips, one if
        the game is not decided; the first also runs the scripts `along`."""
        if not is_decided(stored):
            execute_with_runs(self._redis, [], along)
            return
        fields = [field_of(player, stored.game.tactics) for player in stored.players]
        state, later = _state_query(fields), _since_query(end_of(stored))
        queries: list[Query[Any]] = [state, later, *self._log_queries(stored)]
        replies, _ = execute_with_runs(self._redis, queries, along)
        (revision, forms), others, *texts = (
            query.parse(reply) for query, reply in zip(queries, replies, strict=True)
        )
        result = result_of(stored, *texts)
        if result is None:
            return
        if others or not self._append(revision, forms, [result], [result]):
            self.add([result])

    def result(self, stored: StoredGame) -> Result | None:
        """The result of a game; None if it does not count."""
        if not is_decided(stored):
            return None
        return result_of(stored, *execute_all(self._redis, self._log_queries(stored)))

    def add(self, results: Iterable[Result]) -> None:
        """Rate these games, and again those that ended after them. May be repeated."""
        ordered = sorted(results)
        for start in range(0, len(ordered), _AT_ONCE):
            while not self._insert(ordered[start : start + _AT_ONCE]):
                pass  # others were rated at this moment

    def rebuild(self, results: Iterable[Result], since: float) -> None:
        """Rate all games again, from these results and those of games that ended after `since`
        (unix seconds), the moment when the reading of results began."""
        while True:
            revision, _ = execute(self._redis, _state_query([]))
            late = self._since(int(since))
            if self._append(revision, {}, [], rebuild=True):
                break
        self.add({*results, *(rated.result for rated in late)})

    def forget(self, game_id: str) -> None:
        """Remove a game's result, and rate again the games that ended after it."""
        while True:
            revision, _ = execute(self._redis, _state_query([]))
            rated = self.rated(game_id)
            if rated is None:
                return
            later = [each for each in self._since(rated.result.ended) if each.result > rated.result]
            forms = self._before([rated, *later])
            results = [each.result for each in later]
            if self._append(revision, forms, results, removed=rated.result):
                return

    def _before(self, later: Sequence[Rated], new: Sequence[Result] = ()) -> dict[str, Form]:
        """Return the forms of all players of these games, by field, before the first of `later`,
        the latest rated games. `new` are games not yet rated."""
        results = [*new, *(rated.result for rated in later)]
        fields = {field for result in results for field in result.fields}
        _, forms = execute(self._redis, _state_query(sorted(fields)))
        for rated in reversed(later):  # the values of both players are taken back
            before = zip(rated.result.fields, rated.before, strict=True)
            forms |= {field: form for field, form in before if form is not None}
        return forms

    def _insert(self, results: Sequence[Result]) -> bool:
        """Rate results in their order. Return False if another write came first."""
        revision, _ = execute(self._redis, _state_query([]))
        is_there = execute(self._redis, all_rated_query([result.game for result in results]))
        new = [result for result, there in zip(results, is_there, strict=True) if there is None]
        if not new:
            return True
        later = [rated for rated in self._since(new[0].ended) if rated.result > new[0]]
        ahead = sorted([*new, *(rated.result for rated in later)])
        return self._append(revision, self._before(later, new), ahead, new)

    def _append(
        self,
        revision: str,
        forms: dict[str, Form],
        results: Sequence[Result],
        new: Sequence[Result] = (),
        rebuild: bool = False,
        removed: Result | None = None,
    ) -> bool:
        """Rate the results, starting from these forms, and write them. Return False if another
        write came first."""
        rated = list(fold(forms, results))
        gone = ("", "") if removed is None else (removed.game, _pair_of(removed))
        args: list[str | float] = [revision, int(rebuild), *gone, len(rated)]
        for each in rated:
            args += [each.result.game, each.result.ended, json.dumps(each)]
        args.append(len(forms))
        for field, form in forms.items():
            args += [field, json.dumps(form) if form.games else ""]
        return bool(self._write(keys=_KEYS, args=[*args, *map(_pair_of, new)]))

    def _since(self, ended: int) -> list[Rated]:
        """The rated games that ended at this moment or later, in order."""
        rated = execute(self._redis, all_rated_query(execute(self._redis, _since_query(ended))))
        return [each for each in rated if each is not None]

    def _log_queries(self, stored: StoredGame) -> list[Query[list[str]]]:
        """The query for the log of a game, if its ending alone does not decide whether it
        counts."""
        return [self._events.events_query(stored.id)] if ended_early(stored) else []

    # Reading

    def has_rated(self, player: str) -> bool:
        """Whether the player knows from a game of their own what it is to be rated."""
        return any(form.games for form in self.of(player, None).forms)

    def of(self, player: str, reader: str | None) -> PlayerRating:
        """A player's rating, and the games of the reader against them."""
        return self.all_of([player], reader)[player]

    def all_of(self, players: Iterable[str], reader: str | None) -> dict[str, PlayerRating]:
        """These players' ratings, and the games of the reader against each, in one round trip."""
        return self.ask_all(Batch(self._redis), players, reader)()

    def ask_all(
        self, batch: Batch, players: Iterable[str], reader: str | None
    ) -> Callable[[], dict[str, PlayerRating]]:
        """Add the two queries of `all_of` to the batch; the returned function gives its result."""
        ids = sorted(set(players))
        if not ids:
            return dict
        kinds = {player: [field_of(player, tactics) for tactics in (False, True)] for player in ids}
        forms = batch.ask(self.forms_query(chain.from_iterable(kinds.values())))
        others = [player for player in ids if reader not in (None, player)]
        pairs = batch.ask(_heads_to_heads_query(reader or "", others)) if others else None

        def ratings() -> dict[str, PlayerRating]:
            against = dict(zip(others, pairs.get(), strict=True)) if pairs else {}
            return {
                player: PlayerRating(
                    player,
                    [forms.get().get(field, Form()) for field in fields],
                    against.get(player),
                )
                for player, fields in kinds.items()
            }

        return ratings

    def forms_query(self, fields: Iterable[str]) -> Query[dict[str, Form]]:
        """The query for the forms in those of these fields (`field_of`) that have rated games."""
        return _state_query([*fields]).then(lambda state: state[1])

    def rated(self, game_id: str) -> Rated | None:
        """The effect of a game on the ratings; None if it has none, or none yet."""
        return execute(self._redis, self.rated_query(game_id))

    def rated_query(self, game_id: str) -> Query[Rated | None]:
        """The query that `rated` executes."""
        return all_rated_query([game_id]).then(lambda rated: rated[0])


def _heads_to_heads_query(player: str, others: Sequence[str]) -> Query[list[HeadToHead]]:
    """The query for the games of a player against each of these others."""
    fields = [
        field
        for other in others
        for field in (_won(player, other), _won(other, player), _drawn(player, other))
    ]

    def parse(values: Sequence[str | None]) -> list[HeadToHead]:
        counts = [int(count or 0) for count in values]
        return [HeadToHead(*counts[start : start + 3]) for start in range(0, len(counts), 3)]

    return Query(("HMGET", _PAIRS, *fields), parse)


def _state_query(fields: Sequence[str]) -> Query[tuple[str, dict[str, Form]]]:
    """The query for the revision and the forms in these fields, if they have any."""

    def parse(values: Sequence[str | None]) -> tuple[str, dict[str, Form]]:
        forms = zip(fields, values[1:], strict=True)
        return values[0] or "0", {field: _form(json.loads(text)) for field, text in forms if text}

    return Query(("HMGET", _FORMS, _REVISION, *fields), parse)


def all_rated_query(games: Sequence[str]) -> Query[list[Rated | None]]:
    """The query for the stored ratings of these games, None for each unrated one."""
    command = ("HMGET", _RESULTS, *(games or [""]))
    return Query(command, lambda texts: [text and _rated(json.loads(text)) for text in texts])


def _since_query(ended: int) -> Query[list[str]]:
    """The query for the games that ended at this moment or later, in order."""
    return Query(("ZRANGEBYSCORE", _ORDER, ended, "+inf"), list[str])


def _rated(value: Any) -> Rated:
    result, before, after = value
    return Rated(Result(*result), [*map(_form, before)], [*map(_form, after)])


def _form(value: Any) -> Form:
    return value and Form(Rating(*value[0]), *value[1:])


def _pair_of(result: Result) -> str:
    """The field of `_PAIRS` that counts this result."""
    if result.score == 0.5:
        return _drawn(result.first, result.second)
    winner, loser = result[2:4] if result.score else result[3:1:-1]
    return _won(winner, loser)


def _won(winner: str, loser: str) -> str:
    return f"{winner} {loser}"


def _drawn(player: str, other: str) -> str:
    return f"= {min(player, other)} {max(player, other)}"
