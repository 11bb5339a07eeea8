"""A finished game's turns are weighed by a worker, some at a time."""

import json
import random

import pytest

from engine import legal
from service.bots import strategist
from service.bots.analysis import PlayedTurn, weigh
from service.core.errors import RequestRejected
from service.games.analysis.service import ANALYSIS
from service.games.analysis.store import LIFE, METHOD, NONE, Analysis
from service.games.change.writer import ChangeContext
from service.games.opening.practice import Wanted
from service.ops.game_removal import remove_game
from tests.support.matches import lines_of_match, put_match
from tests.workers.delivering import deliver
from tests.workers.match import Match
from workers.context import WorkerContext
from workers.handlers import analysis as handler
from workers.thinking import Thinker

TURNS = 3


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn is weighed in this process by a few deals, and one at a time."""

    def here(self: Thinker, played: PlayedTurn) -> str:
        return json.dumps(weigh(played, 40).to_data())

    monkeypatch.setattr(Thinker, "weigh", here)
    monkeypatch.setattr(handler, "BUDGET", -1.0)
    monkeypatch.setattr(strategist, "GAMES", 4)


@pytest.fixture
def over(match: Match) -> Match:
    """Three turns were played; then Bob gave up."""
    rng = random.Random(1)
    for _ in range(TURNS):
        match.play(rng.choice([text for text in legal(match.now().game) if "@" in text]))
    match.context.container.games.resign(match.id, match.bob)
    return match


def asked(match: Match) -> str:
    """Asks for the analysis; the notice of the work."""
    match.context.container.games.analyses.ask(match.now())
    (notice,) = (one for one in match.due() if one.endswith(ANALYSIS))
    return notice


def analysis(match: Match) -> Analysis:
    return match.context.container.games.analyses.of(match.now())


def test_a_game_is_weighed_turn_by_turn(over: Match) -> None:
    assert analysis(over) == NONE
    notice = asked(over)
    assert analysis(over) == Analysis("queued")
    progress = []
    while notice in over.due():
        deliver(over.context, notice)
        now = analysis(over)
        progress.append((now.status, len(now.turns), now.of))
    assert progress == [("running", 1, 3), ("running", 2, 3), ("done", 3, 3)]
    assert [turn.seat for turn in analysis(over).turns] == ["north", "south", "north"]


def test_asking_again_changes_nothing(over: Match) -> None:
    notice = asked(over)
    deliver(over.context, notice)
    before = analysis(over)
    assert asked(over) == notice
    assert analysis(over) == before
    while deliver(over.context, notice) == "postponed":
        pass
    over.context.container.games.analyses.ask(over.now())
    assert notice not in over.due()


def test_a_worker_that_was_killed_goes_on_with_the_turn_at_hand(
    over: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice = asked(over)
    deliver(over.context, notice)
    (first,) = analysis(over).turns
    weigh_here = Thinker.weigh
    weighed = list[int]()

    def noted(self: Thinker, played: PlayedTurn) -> str:
        weighed.append(played.seq)
        return weigh_here(self, played)

    def killed(self: Thinker, played: PlayedTurn) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Thinker, "weigh", killed)
    with pytest.raises(KeyboardInterrupt):
        deliver(over.context, notice)
    monkeypatch.setattr(Thinker, "weigh", noted)
    while deliver(over.context, notice) == "postponed":
        pass
    assert analysis(over).status == "done"
    assert len(weighed) == TURNS - 1
    assert first.seq not in weighed


def test_a_game_that_goes_on_is_not_analysed(match: Match) -> None:
    match.play("R4@3")
    games = match.context.container.games
    for ask in (games.analyses.ask, games.analyses.of):
        with pytest.raises(RequestRejected, match="once it is over") as refusal:
            ask(match.now())
        assert refusal.value.code == "game-not-over"
    forged = f"{match.id}.{match.now().version}.server.log.{ANALYSIS}"
    assert deliver(match.context, forged) == "dropped"
    assert not [*match.context.container.redis.scan_iter(f"*{match.id}:analysis")]


def test_a_match_whose_round_is_over_is_not_analysed(context: WorkerContext) -> None:
    lines = lines_of_match(2)
    end = next(n for n, line in enumerate(lines, 1) if json.loads(line)["type"] == "round_ended")
    stored = context.container.games.load(put_match(context.container, 2, upto=end + 1))
    with pytest.raises(RequestRejected, match="once it is over"):
        context.container.games.analyses.ask(stored)


def test_nothing_is_written_for_a_game_that_was_removed_meanwhile(over: Match) -> None:
    notice, container = asked(over), over.context.container
    deliver(over.context, notice)
    remove_game(container, "tester", over.id, "a test")
    assert not [*container.redis.scan_iter(f"*{over.id}:analysis")]
    assert deliver(over.context, notice) == "dropped"
    assert not container.games.analyses.store.store_turn(over.id, 1, "{}")
    assert not [*container.redis.scan_iter(f"*{over.id}:analysis")]


def test_it_expires_and_can_be_asked_for_anew(over: Match) -> None:
    notice, redis = asked(over), over.context.container.redis
    (key,) = redis.scan_iter(f"*{over.id}:analysis")
    deliver(over.context, notice)
    assert LIFE - 60 < redis.ttl(key) <= LIFE
    redis.delete(key)
    assert deliver(over.context, notice) == "dropped"
    assert analysis(over) == NONE


def test_an_analysis_by_an_earlier_method_is_made_anew(over: Match) -> None:
    deliver(over.context, asked(over))
    redis = over.context.container.redis
    (key,) = redis.scan_iter(f"*{over.id}:analysis")
    redis.hset(key, "method", f"{METHOD}-earlier")
    assert analysis(over) == NONE
    asked(over)
    assert analysis(over) == Analysis("queued")


def test_of_a_practice_game_only_the_turns_after_its_step_are_weighed(over: Match) -> None:
    games = over.context.container.games
    begun = games.practice.begin(over.id, over.bob, Wanted(over.now().version - 3), ChangeContext())
    assert begun.practice is not None
    assert begun.practice.turn == TURNS + 1
    assert [*games.analyses.turns(games.resign(begun.id, over.bob))] == []
