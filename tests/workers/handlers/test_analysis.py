"""A finished game's turns are weighed by a worker, some at a time."""

import json
import random

import pytest

from engine import legal
from service.bots import strategist
from service.bots.analysis import PlayedTurn, weigh
from service.core.errors import RequestRejected
from service.eventlog import parse_notice_id
from service.games import NewGame
from service.games.analysis import ANALYSIS, LIFE, METHOD, NONE, Analysis
from service.games.rematches import Wanted
from service.games.writer import ChangeContext
from service.ops.operating import remove_game
from tests.support.clock import Clock
from tests.support.matches import lines_of_match, put_match
from tests.workers.delivering import deliver
from tests.workers.match import Match
from workers import chores
from workers.context import WorkerContext
from workers.thinking import Thinker

TURNS = 3


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn is weighed in this process by a few deals, and one at a time."""

    def here(self: Thinker, played: PlayedTurn) -> str:
        return json.dumps(weigh(played, 40).to_data())

    monkeypatch.setattr(Thinker, "weigh", here)
    monkeypatch.setattr(chores, "WEIGHING_BUDGET", -1.0)
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
    match.context.container.games.analyses.ask(match.now(), match.ann)
    (notice,) = (one for one in match.due() if one.endswith(ANALYSIS))
    return notice


def analysis(match: Match) -> Analysis:
    return match.context.container.games.analyses.of(match.now())


def test_a_game_is_weighed_turn_by_turn(over: Match) -> None:
    assert analysis(over) == NONE
    notice = asked(over)
    assert analysis(over) == Analysis("queued", ahead=0)
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
    over.context.container.games.analyses.ask(over.now(), over.ann)
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
    for ask in (asked, analysis):
        with pytest.raises(RequestRejected, match="once it is over") as refusal:
            ask(match)
        assert refusal.value.code == "game-not-over"
    forged = f"{match.id}.{match.now().version}.server.log.{ANALYSIS}"
    assert deliver(match.context, forged) == "dropped"
    assert not [*match.context.container.redis.scan_iter(f"*{match.id}:analysis")]


def test_a_match_whose_round_is_over_is_not_analysed(context: WorkerContext) -> None:
    lines = lines_of_match(2)
    end = next(n for n, line in enumerate(lines, 1) if json.loads(line)["type"] == "round_ended")
    stored = context.container.games.load(put_match(context.container, 2, upto=end + 1))
    with pytest.raises(RequestRejected, match="once it is over"):
        context.container.games.analyses.ask(stored, "a" * 16)


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
    assert analysis(over) == Analysis("queued", ahead=0)


def test_of_a_practice_game_only_the_turns_after_its_step_are_weighed(over: Match) -> None:
    games = over.context.container.games
    begun = games.practice.begin(over.id, over.bob, Wanted(over.now().version - 3), ChangeContext())
    assert begun.practice is not None
    assert begun.practice.turn == TURNS + 1
    assert [*games.analyses.turns(games.resign(begun.id, over.bob))] == []


class TestLine:
    """Whoever asks first has the game weighed first, and whole."""

    @pytest.fixture
    def games(self, over: Match) -> list[Match]:
        """Four games that are over."""
        container = over.context.container
        games = [over]
        for _ in range(3):
            made = container.games.create(over.ann, NewGame(first_player="creator"))
            invite = container.games.invitations.token(made.id)
            container.games.join(made.id, over.bob, invite=invite)
            games.append(over._replace(id=made.id))
            for _ in range(TURNS):
                games[-1].play(next(text for text in legal(games[-1].now().game) if "@" in text))
            container.games.resign(made.id, over.bob)
        return games

    def ask(self, game: Match, player: str, address: str = "") -> None:
        game.context.container.games.analyses.ask(game.now(), player, address)

    def work(self, games: list[Match], clock: Clock, most: int = 1000) -> str:
        """Delivers the notice that is due first, a second for each. Returns the place of the game
        of each turn that is weighed."""
        outbox, weighed = games[0].context.container.log.outbox, ""
        places = {game.id: str(place) for place, game in enumerate(games)}
        before = [len(analysis(game).turns) for game in games]
        for _ in range(most):
            due = [one for one in outbox.pending() if one.id.endswith(ANALYSIS)]
            if not due:
                break
            notice, at = min(due, key=lambda one: (one.due, one.id))
            clock.time = max(clock.time, at) + 1
            deliver(games[0].context, notice)
            now = [len(analysis(game).turns) for game in games]
            weighed += places[parse_notice_id(notice).subject] * (sum(now) - sum(before))
            before = now
        return weighed

    def test_games_are_weighed_in_the_order_in_which_they_were_asked_for(
        self, games: list[Match], clock: Clock
    ) -> None:
        for number, game in enumerate(games):
            self.ask(game, f"player-{number}")
            clock.time += 1
        assert [analysis(game).ahead for game in games] == [0, 1, 2, 3]
        assert self.work(games, clock) == "000111222333"
        assert {analysis(game).status for game in games} == {"done"}

    def test_a_player_s_second_one_waits_for_the_first_ones_of_others(
        self, games: list[Match], clock: Clock
    ) -> None:
        for game, player in zip(games, ["ann", "ann", "bob", "cyd"], strict=True):
            self.ask(game, player)
            clock.time += 1
        assert self.work(games, clock) == "000222333111"

    def test_nor_do_many_accounts_at_one_address_come_before_others(
        self, games: list[Match], clock: Clock
    ) -> None:
        askers = [("ann", "9.9.9.9"), ("ben", "9.9.9.9"), ("cyd", "9.9.9.9"), ("dan", "8.8.8.8")]
        for game, (player, address) in zip(games, askers, strict=True):
            self.ask(game, player, address)
            clock.time += 1
        assert self.work(games, clock) == "000333111222"

    def test_those_at_one_address_keep_their_order(self, games: list[Match], clock: Clock) -> None:
        for game, player in zip(games[:3], ["ann", "ben", "cyd"], strict=True):
            self.ask(game, player, "9.9.9.9")
        assert self.work(games, clock, most=6).startswith("000")
        self.ask(games[3], "dan", "9.9.9.9")
        assert self.work(games, clock).endswith("222333")

    def test_nobody_puts_another_s_game_behind(self, games: list[Match], clock: Clock) -> None:
        for game in games[:3]:
            self.ask(game, "ann", "9.9.9.9")
        clock.time += 1
        self.ask(games[3], "eve", "7.7.7.7")
        assert [analysis(game).ahead for game in games] == [0, 2, 3, 1]
        clock.time += 1
        self.ask(games[2], "cyd", "8.8.8.8")
        assert [analysis(game).ahead for game in games] == [0, 3, 2, 1]
        self.ask(games[2], "ann", "9.9.9.9")
        assert self.work(games, clock) == "000333222111"

    def test_one_that_is_begun_is_not_overtaken(self, games: list[Match], clock: Clock) -> None:
        for game in games[:2]:
            self.ask(game, "ann")
        while not self.work(games, clock, most=1).startswith("1"):
            pass
        self.ask(games[2], "bob")
        assert self.work(games, clock) == "11222"

    def test_a_game_that_cannot_be_weighed_holds_up_no_others(
        self, games: list[Match], clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        analyses, weigh_here = games[0].context.container.games.analyses, Thinker.weigh
        poison = [*analyses.turns(games[0].now())][1]

        def weigh_most(self: Thinker, played: PlayedTurn) -> str:
            if played == poison:
                raise OSError("a bot could not think to the end")
            return weigh_here(self, played)

        monkeypatch.setattr(Thinker, "weigh", weigh_most)
        for number, game in enumerate(games):
            self.ask(game, f"player-{number}")
            clock.time += 1
        assert self.work(games, clock, most=30) == "0111222333"
        monkeypatch.setattr(Thinker, "weigh", weigh_here)
        assert self.work(games, clock) == "00"

    def test_a_killed_worker_s_game_keeps_its_place(
        self, games: list[Match], clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number, game in enumerate(games[:2]):
            self.ask(game, f"player-{number}")
            clock.time += 1

        def killed(self: Thinker, played: PlayedTurn) -> str:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(Thinker, "weigh", killed)
            with pytest.raises(KeyboardInterrupt):
                self.work(games, clock)
        assert self.work(games, clock) == "000111"

    def test_a_place_whose_notice_is_lost_is_given_up(
        self, games: list[Match], clock: Clock
    ) -> None:
        for number, game in enumerate(games[:2]):
            self.ask(game, f"player-{number}")
            clock.time += 1
        outbox = games[0].context.container.log.outbox
        (lost,) = (one for one in games[0].due() if one.startswith(games[0].id) and ANALYSIS in one)
        outbox.finish(lost)
        assert self.work(games, clock) == "111"
        assert not [*games[0].context.container.redis.scan_iter("st:{analyses}:*")]

    def test_each_worker_weighs_a_game(self, games: list[Match], clock: Clock) -> None:
        for worker in ("one", "two"):
            games[0].context.container.heartbeat.record(worker)
        for number, game in enumerate(games):
            self.ask(game, f"player-{number}")
            clock.time += 1
        order = self.work(games, clock)
        assert sorted(order[:6]) == [*"000111"]
        assert sorted(order[6:]) == [*"222333"]
