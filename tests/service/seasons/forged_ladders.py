"""Logs of ladders in a chain that holds, of a host who knows the secret and breaks a rule."""

from collections.abc import Callable
from typing import Any, Final

from engine.chain import NO_HASH
from engine.shuffle import commitment
from service.seasons.events import (
    CardsSealed,
    ChallengeMade,
    DivisionPaired,
    PlayerWithdrew,
    Reason,
    ResultTaken,
    SeasonEnded,
    SeasonEvent,
    SeasonStarted,
)
from tests.service.seasons.ladders import Climbing
from tests.service.seasons.leagues import CARDS, SECRET, player


def _ladder(**rules: Any) -> Climbing:
    return Climbing(**rules).enter(*range(8))


def _challenged(one: int, other: int, *before: tuple[int, int]) -> Climbing:
    """Some challenges that are allowed, then this one."""
    ladder = _ladder()
    for pair in (*before, (one, other)):
        ladder.challenge(*pair)
    return ladder


def _of(**changes: Any) -> Climbing:
    """A challenge of which something is wrong."""
    usual = {"game": "g" * 20, "number": 1, "challenger": player(1), "challenged": player(0)}
    return _ladder().add(ChallengeMade(**{**usual, "next_cards": "1" * 64, **changes}))


def _again(**wait: float) -> Climbing:
    ladder = _ladder()
    ladder.end(ladder.challenge(1, 0), 1)
    ladder.wait(**wait).challenge(0, 1)
    return ladder


def _late(*, times: int) -> Climbing:
    """A challenger who ran out of time so often in a row."""
    ladder = _ladder()
    for number in range(times):
        ladder.end(ladder.challenge(7, 6 - number), 6 - number, "time-out")
    return ladder


def _late_again(reason: str) -> Climbing:
    """A challenger who ran out of time twice, and between lost another game for this reason."""
    ladder = _ladder()
    ladder.end(ladder.challenge(7, 6), 6, "time-out")
    ladder.end(ladder.challenge(7, 5), 5, reason)
    return ladder.end(ladder.challenge(7, 4), 4, "time-out")


def _without(ladder: Climbing, reason: Reason, number: int = 7) -> Climbing:
    return ladder.forge(PlayerWithdrew(player(number), reason))


def _back(reason: Reason, **wait: float) -> Climbing:
    ladder = _late(times=2) if reason == "time-outs" else _ladder()
    return ladder.add(PlayerWithdrew(player(7), reason)).wait(**wait).enter(7)


def _back_amid_a_game() -> Climbing:
    ladder = _challenged(7, 6)
    return ladder.add(PlayerWithdrew(player(7), "gone")).enter(7)


def _result(**changes: Any) -> Climbing:
    ladder = _ladder()
    usual: dict[str, Any] = {
        "game": ladder.challenge(1, 0),
        "head": "1" * 64,
        "winner": player(1),
        "reason": "five-stones",
        "stones": {"north": 5, "south": 2},
    }
    return ladder.forge(ResultTaken(**{**usual, **changes}))


def _one_head_twice() -> Climbing:
    ladder = _ladder()
    head = {"head": "1" * 64, "winner": None, "reason": "stalemate"}
    for game in (ladder.challenge(1, 0), ladder.challenge(3, 2)):
        ladder.add(ResultTaken(game=game, **head, stones={"north": 1, "south": 1}))
    return ladder


def _then(event: SeasonEvent) -> Climbing:
    return _ladder().forge(event)


FORGED_LADDERS: Final[dict[str, tuple[Callable[[], Climbing], str]]] = {
    "a ladder with divisions": (lambda: _ladder(division=6), "impossible"),
    "a ladder with a start": (lambda: _ladder(starts_at="2026-12-01T12:00:00Z"), "impossible"),
    "a ladder with bots": (lambda: _ladder(bots=["steward"]), "impossible"),
    "a challenge of oneself": (lambda: _challenged(3, 3), "yourself"),
    "a challenge downwards": (lambda: _challenged(3, 4), "below-you"),
    "four places up": (lambda: _challenged(7, 3), "too-far-up"),
    "by somebody who is not on it": (lambda: _challenged(9, 3), "not-on-ladder"),
    "of somebody who is not on it": (lambda: _challenged(3, 9), "off-ladder"),
    "two games of two players": (lambda: _challenged(1, 0, (1, 0)), "already-playing"),
    "three challenges of one": (lambda: _challenged(5, 2, (5, 3), (5, 4)), "two-of-yours"),
    "three challenges of another": (lambda: _challenged(3, 2, (4, 2), (5, 2)), "two-against-them"),
    "a rematch a second too early": (lambda: _again(days=7, seconds=-1), "rematch"),
    "a challenge left out": (lambda: _of(number=2), "another challenge"),
    "one game for two challenges": (
        lambda: _of(game="0" * 19 + "1").add(
            ChallengeMade("0" * 19 + "1", 2, player(3), player(2), "1" * 64)
        ),
        "another challenge",
    ),
    "away for thirteen days": (
        lambda: _without(_ladder().wait(days=14, seconds=-1), "away"),
        "sign of life",
    ),
    "away after a challenge": (
        lambda: _without(_challenged(7, 6).wait(days=13), "away"),
        "sign of life",
    ),
    "left out of a ladder": (lambda: _without(_ladder(), "not-seen"), "no such reason"),
    "withdrawn without having entered": (lambda: _without(_ladder(), "left", 9), "not in"),
    "off for one time-out": (lambda: _without(_late(times=1), "time-outs"), "nothing less"),
    "on after two time-outs": (lambda: _late(times=2).enter(9), "withdrawn at once"),
    "on after two, with a game given up between": (
        lambda: _late_again("resignation").enter(9),
        "withdrawn at once",
    ),
    "off for two, with a game lost on the board between": (
        lambda: _without(_late_again("five-stones"), "time-outs"),
        "nothing less",
    ),
    "off by another's will after two": (
        lambda: _without(_late(times=2), "left"),
        "withdrawn at once",
    ),
    "back within a week": (lambda: _back("left", days=7, seconds=-1), "too early"),
    "back within two weeks": (lambda: _back("time-outs", days=14, seconds=-1), "too early"),
    "back while a game goes on": (_back_amid_a_game, "still going on"),
    "entered twice": (lambda: _ladder().enter(3), "entered before"),
    "started": (lambda: _then(SeasonStarted(SECRET, [])), "no such event"),
    "paired": (lambda: _then(DivisionPaired(1, [])), "no such event"),
    "ended while somebody stands on it": (
        lambda: _ladder().wait(days=91).forge(SeasonEnded([])),
        "within 90 days",
    ),
    "ended a second too early": (
        lambda: Climbing().wait(days=90, seconds=-1).forge(SeasonEnded([])),
        "within 90 days",
    ),
    "ended with a table": (lambda: _then(SeasonEnded([[player(1)]], by_operator=True)), "tables"),
    "entered after its end": (
        lambda: _ladder().add(SeasonEnded([], by_operator=True)).enter(9),
        "is over",
    ),
    "sealed anew without the next cards": (
        lambda: _then(CardsSealed(commitment(CARDS), CARDS)),
        "does not seal the cards",
    ),
    "a stranger wins": (lambda: _result(winner=player(5)), "did not play"),
    "the result of no game": (lambda: _result(game="9" * 20), "going on"),
    "a head of two games": (_one_head_twice, "another result"),
    "a removed game that is won": (
        lambda: _result(reason="removed", head=NO_HASH),
        "counts for nobody",
    ),
}
"""How each is made, and what the fault says of it."""
