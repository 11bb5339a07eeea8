"""Games as their readers may see them: views, summaries, lines of the record."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Final, Literal, cast

import orjson

import engine
from engine import Seat, chain
from engine.chain import FINAL_TYPES
from engine.clock_events import AgreedClock
from service.accounts.player import is_bot
from service.core.times import timestamp
from service.core.words import ENGLISH
from service.games.challenge import Challenge
from service.games.clock.view import ClockStateShape, clock_state
from service.games.drafts import OrderOutcome, Orders
from service.games.projections.ratings import PlayerRating
from service.games.rating import Rated, Rating, is_for_ratings, is_rated
from service.games.shapes import (
    ChallengeShape,
    GameSummaryShape,
    OpenGameShape,
    OrderResultShape,
    OrdersShape,
    OriginShape,
    PlayerSummaryShape,
    RatingChangeShape,
    RatingsBySeatShape,
    RatingShape,
    RatingsShape,
    RuleOptionsShape,
)
from service.games.stored_game import StoredGame
from service.games.terms import DealDay, PracticeOf
from service.text.board import seat_names

Names = Mapping[str, str]
_NOTHING_PRIVATE: Final = ',"private":null,"salt":'
"""Only a line without hidden parts contains this text.

No player's text can contain it, because quotes are escaped.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameShown(engine.View):
    """The game view: the engine's view for the reader's seat, with data from the log.

    `names` gives display names by id. Moments are RFC 3339. `rated`: whether the result counts for
    ratings; `ratings`: its effect on them, by seat. `practice` is None for a real game, `daily`
    for all but deals of the day.
    """

    id: str
    names: Names
    invited: PlayerSummaryShape | Literal[True] | None
    clock: AgreedClock | None
    options: RuleOptionsShape
    private: bool
    listed: bool
    rated: bool
    ratings: RatingsBySeatShape | None
    imported: bool
    created_at: str
    started_at: str | None
    ended_at: str | None
    deadline: str | None
    untold_until: str | None
    clock_state: ClockStateShape | None
    head: str
    practice: PracticeOf | None
    daily: DealDay | None

    @property
    def seat_names(self) -> dict[str, str]:
        """The display name of each seat: the player's name, or `North` and `South` while it is
        free."""
        return seat_names(self.players, self.names)

    @property
    def kind(self) -> dict[str, object]:
        """The kind of game, as lists of games show it."""
        names = ("edition", "tactics", "expert", "rounds", "clock", "rated")
        return {name: getattr(self, name) for name in names}


def game_view(
    stored: StoredGame, reader: str | None, names: Names, rated: Rated | None = None
) -> GameShown:
    """The game as this reader may see it; `rated` is its effect on the ratings."""
    return GameShown(**_fields(stored, reader, names, rated))


def view_data(
    stored: StoredGame, reader: str | None, names: Names, rated: Rated | None = None
) -> dict[str, object]:
    """The same in the form of the API, for `to_json`: the only place that makes it."""
    fields = _fields(stored, reader, names, rated)
    for name in ("names", "practice", "daily"):
        del fields[name]
    players = _players(stored.game.players, names)
    return {**fields, "players": players, **_kind(stored)}


def _fields(
    stored: StoredGame, reader: str | None, names: Names, rated: Rated | None
) -> dict[str, Any]:
    return {
        "id": stored.id,
        **engine.seen_fields(stored.game, stored.seat_of(reader), sealed=stored.sealed),
        "names": names,
        "invited": invited(stored, names),
        "clock": stored.terms.clock,
        "options": _options(stored.game.options),
        "private": stored.private,
        "listed": stored.listed,
        "rated": is_rated(stored),
        "ratings": rating_changes(stored, rated),
        "imported": stored.imported,
        "created_at": stored.created,
        "started_at": stored.started,
        "ended_at": stored.ended,
        "deadline": stored.deadline_text,
        "untold_until": stored.untold_until,
        "clock_state": clock_state(stored),
        "head": stored.head,
        "practice": stored.practice,
        "daily": stored.daily,
    }


def people_in(stored: StoredGame) -> list[str]:
    """The ids of all players and invited players in a view of this game, and of those who played
    the deal before."""
    invited = [stored.invited] if stored.invited is not None else []
    before = stored.practice.players.values() if stored.practice else ()
    return [*stored.players, *invited, *before]


def summary(stored: StoredGame, reader: str | None, names: Names) -> GameSummaryShape:
    """A game in a list: its players, status and turn."""
    game = stored.game
    return {
        "id": stored.id,
        "version": stored.version,
        "status": game.status,
        "edition": game.edition,
        "tactics": game.tactics,
        "expert": game.expert,
        "rounds": game.rounds,
        "seat": stored.seat_of(reader),
        "players": _players(game.players, names),
        "turn": game.turn,
        "deadline": stored.deadline_text,
        "winner": game.winner,
        "reason": game.reason,
        "imported": stored.imported,
        "created_at": stored.created,
        "ended_at": stored.ended,
        **_kind(stored),
    }


def _kind(stored: StoredGame) -> OriginShape:
    """The member `practice` of a practice game, `daily` of a deal of the day, or `season` of a game
    of one; empty for all others."""
    practice, season = stored.practice, stored.terms.season
    if stored.daily is not None:
        return {"daily": stored.daily.date}
    if season is not None:
        return {"season": {"id": season.id, "round": season.round, "leg": season.leg}}
    if practice is None:
        return {}
    return {"practice": {"game": practice.game, "step": practice.step, "turn": practice.turn}}


def offered(stored: StoredGame, names: Names) -> OpenGameShape:
    """An open game in the lobby: its maker, its options, and how long it waits."""
    game, maker = stored.game, stored.game.players[stored.game.creator]
    return {
        "id": stored.id,
        "created_at": stored.created,
        "expires_at": cast(str, stored.waits_until),
        "creator": player_summary(maker or "", names),
        "seat": engine.OTHER[game.creator],
        "edition": game.edition,
        "tactics": game.tactics,
        "expert": game.expert,
        "rounds": game.rounds,
        "first_player": game.first_player,
        "clock": game.terms.get("clock"),
        "rated": is_rated(stored),
    }


def challenge_view(challenge: Challenge, names: Names) -> ChallengeShape:
    """A challenge, for its two players."""
    wanted = challenge.wanted
    return {
        "id": challenge.id,
        "status": challenge.status,
        "from": player_summary(challenge.by, names),
        "to": player_summary(challenge.to, names),
        "created_at": timestamp(challenge.created),
        "expires_at": timestamp(challenge.expires),
        "edition": wanted.edition,
        "tactics": wanted.tactics,
        "expert": wanted.expert,
        "rounds": wanted.rounds,
        "first_player": wanted.first_player,
        "seat": wanted.seat,
        "clock": wanted.clock,
        "private": wanted.private,
        "rated": is_for_ratings(
            wanted.rated, wanted.private, wanted.clock, (challenge.by, challenge.to)
        ),
        "commitment": challenge.commitment,
        "salt": challenge.salt,
        "counters": challenge.counters,
        "counter_offer": challenge.counter_offer,
        "game": challenge.id if challenge.status == "accepted" else None,
    }


def orders_view(stored: StoredGame, orders: Orders) -> OrdersShape:
    """Standing orders, for their owner."""
    turn, last = orders.turn, orders.last
    return {
        "version": stored.version,
        "claim_proved": orders.claim_proved,
        "pass_when_stuck": orders.pass_when_stuck,
        "turn": turn and {"actions": list(turn.actions), "when": list(turn.when)},
        "last": last and _order_result(last),
    }


def _order_result(last: OrderOutcome) -> OrderResultShape:
    return {
        "outcome": last.outcome,
        "actions": list(last.actions),
        "version": last.version,
        "code": last.code,
        "detail": last.message and ENGLISH.say(last.message, **last.places),
    }


def redacted(
    stored: StoredGame, reader: str | None, texts: Sequence[str]
) -> list[chain.StoredEvent]:
    """Lines of the record, without the parts that the reader may not see yet."""
    seat, over = stored.seat_of(reader), stored.is_open_to_all
    lines = [chain.redact(json.loads(text), seat, over) for text in texts]
    return [_without_secret(line) for line in lines] if stored.sealed else lines


def record(stored: StoredGame, reader: str | None, texts: Sequence[str]) -> str:
    """These lines of the record in JSON Lines, without the secrets of others.

    A line that hides nothing is copied byte for byte: it is canonical JSON already. The record of a
    sealed game stops before its end, which holds the secret: so far its chain can be checked.
    """
    seat, over = stored.seat_of(reader), stored.is_open_to_all
    if stored.sealed and stored.game.over:
        texts = [text for text in texts if json.loads(text)["type"] not in FINAL_TYPES]
    return "".join(f"{_shown(text, seat, over)}\n" for text in texts)


def _shown(text: str, seat: engine.Seat | None, over: bool) -> str:
    if over or _NOTHING_PRIVATE in text:
        return text
    return chain.canonical(chain.redact(json.loads(text), seat, over))


def _without_secret(line: chain.StoredEvent) -> chain.StoredEvent:
    """The line of a sealed game without the secret, which only its last lines hold."""
    if line["type"] not in FINAL_TYPES:
        return line
    return chain.StoredEvent({**line, "data": {**line["data"], "secret": ""}, "salt": None})


def to_json(value: object) -> str:
    """Compact JSON."""
    return orjson.dumps(value).decode()


def _players(
    players: Mapping[Seat, str | None], names: Names
) -> dict[Seat, PlayerSummaryShape | None]:
    return {
        seat: None if player is None else player_summary(player, names)
        for seat, player in players.items()
    }


def invited(stored: StoredGame, names: Names) -> PlayerSummaryShape | Literal[True] | None:
    """The holder of the free seat: a player, or True for the holder of an e-mail address. None if
    the seat is free for others, or taken."""
    if stored.game.status != "open":
        return None
    if stored.invited is None:
        return True if stored.terms.invited_by_mail else None
    return player_summary(stored.invited, names)


def player_summary(player: str, names: Names) -> PlayerSummaryShape:
    """A player's id and name, and whether they are a bot."""
    return {"id": player, "name": names.get(player), "bot": is_bot(player)}


def rating_changes(stored: StoredGame, rated: Rated | None) -> RatingsBySeatShape | None:
    """The effect of a game on both players' ratings; null for a bot of the server, whose rating is
    fixed."""
    if rated is None or not rated.result.rated or not stored.game.over:
        return None
    forms = zip(rated.result[2:4], rated.before, rated.after, strict=True)
    changes: dict[str, RatingChangeShape | None] = {
        stored.seat_of(player) or "": after
        and before
        and {"before": round(before.rating.points), **rating_view(after.rating)}
        for player, before, after in forms
    }
    return {"north": changes["north"], "south": changes["south"]}


def rating_view(rating: Rating) -> RatingShape:
    """A rating in whole points."""
    return {"rating": round(rating.points), "deviation": round(rating.deviation)}


def ratings_view(rating: PlayerRating, now: float) -> RatingsShape:
    """A player's ratings at this moment, and the number of their rated games of each kind."""
    views = {
        kind: {**rating_view(rating.at(now, tactics=tactics)), "games": rating.forms[tactics].games}
        for kind, tactics in (("base", False), ("tactics", True))
    }
    return cast(RatingsShape, views)


@lru_cache
def _options(options: engine.Options) -> RuleOptionsShape:
    """The options of the rules, without `tactics`, which the view already has."""
    fields = asdict(options)
    del fields["tactics"]
    return cast(RuleOptionsShape, fields)
