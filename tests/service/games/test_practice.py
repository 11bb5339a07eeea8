"""A practice game begins with the cards of the finished one, in all editions."""

import json
import random

import pytest

import engine
from engine.chain import StoredEvent
from engine.record import from_jsonl, from_text, to_text
from engine.verify import verify
from service.bots import BOTS
from service.container import Container
from service.games import ChangeContext, StoredGame
from service.games.rematches import Wanted
from tests.engine.games import KINDS, OLDER_KINDS, Kind
from tests.support.matches import put_match
from tests.support.stored_games import SlowGame, finished, keep

EVE = "eve" + "2" * 13


def begun(
    container: Container, game_id: str, step: int, seat: engine.Seat = "north"
) -> tuple[StoredGame, list[StoredEvent]]:
    """Eve's practice game from this step, and its log."""
    container.players.ensure_exists(EVE, "Eve")
    wanted = Wanted(step, seat)
    stored = container.games.practice.begin(game_id, EVE, wanted, ChangeContext())
    return stored, [json.loads(text) for text in container.log.events.read(stored.id)]


def table(game: engine.Game) -> tuple[object, ...]:
    """All cards of a game, and who is to do what."""
    stones = [(stone.sides, stone.modes, stone.owner) for stone in game.stones]
    return game.hands, game.decks, stones, game.discard, game.turn, game.phase


@pytest.mark.parametrize("kind", [*KINDS, *OLDER_KINDS], ids=str)
def test_all_cards_are_those_of_the_finished_game_at_that_step(
    container: Container, kind: Kind
) -> None:
    chance = random.Random(str(kind))
    old = SlowGame(kind, chance).play()
    game_id = keep(container, "a", old)
    for step in chance.sample(range(len(old.lines) - 4), 3):
        new, _ = begun(container, game_id, step, chance.choice(engine.SEATS))
        assert step <= new.version
        assert table(new.game) == table(container.games.repository.get(game_id, new.version).game)
        assert new.game.rules_version == old.game.rules_version


@pytest.mark.parametrize("tactics", [False, True])
def test_it_can_be_played_to_its_end_and_its_record_is_sound(
    container: Container, tactics: bool
) -> None:
    old = finished(Kind("iello", tactics))
    new, _ = begun(container, keep(container, "a", old), 40)
    chance, games = random.Random(1), container.games
    while (mover := new.player_to_move()) is not None:
        new = games.play(new.id, mover, [chance.choice(engine.legal(new.game))])
    record = from_jsonl(games.history.record(new, None))
    assert verify(record) is None
    assert from_text(to_text(record)) == record
    assert record[2]["private"] == old.lines[2]["private"]


def test_the_log_says_whose_deal_it_is_and_turns_count_as_in_the_round(
    container: Container,
) -> None:
    old = finished()
    _, lines = begun(container, keep(container, "a", old), 0)
    assert lines[0]["data"]["terms"]["practice"] == {
        "game": "a" * 20,
        "step": 0,
        "turn": 1,
        "players": old.game.players,
    }
    assert [line["type"] for line in lines] == ["game_created", "player_joined", "round_started"]

    ends = [line["seq"] for line in old.lines if line["type"] == "turn_ended"]
    new, _ = begun(container, keep(container, "a", old), ends[5])
    assert new.practice is not None
    assert new.practice.turn == 7


@pytest.mark.parametrize("seat", engine.SEATS)
def test_the_player_takes_either_seat_and_the_bot_the_other(
    container: Container, seat: engine.Seat
) -> None:
    new, _ = begun(container, keep(container, "a", finished()), 12, seat)
    assert new.game.players == {seat: EVE, engine.OTHER[seat]: BOTS["steward"].player}


class TestAMatch:
    def test_the_first_round_is_a_game_of_its_own(self, container: Container) -> None:
        new, _ = begun(container, put_match(container, 3), 60)
        assert (new.game.rounds, new.game.round, new.game.status) == (1, 1, "active")

    def test_the_others_cannot_be_dealt_again(self, container: Container) -> None:
        match = put_match(container, 3)
        later = container.games.load(match).version - 20
        with pytest.raises(engine.RuleBroken, match="only the first round") as refused:
            begun(container, match, later)
        assert refused.value.code == "game-over"


def test_the_clock_of_the_finished_game_is_left_out(container: Container) -> None:
    old = SlowGame(Kind("iello"), random.Random(3)).play(30)
    assert old.game.turn is not None
    old.take(engine.GiveTime(old.game.turn, 3600), "web")
    given = len(old.lines)
    old.play()
    new, lines = begun(container, keep(container, "a", old), given + 6)
    assert "time_given" not in {line["type"] for line in lines}
    assert (new.clock, new.deadline) == (None, None)
