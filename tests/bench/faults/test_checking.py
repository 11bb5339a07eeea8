"""The checker of `bench.faults` notices each way in which a log can betray its clients."""

import json
from itertools import pairwise
from typing import Any

import pytest

from bench.faults.checking import Sent, faults
from service.container import build
from service.core.redis.client import Client
from service.games import NewGame
from tests.support.settings import settings

Game = tuple[list[dict[str, Any]], list[Sent]]


@pytest.fixture
def game(redis: Client) -> Game:
    """A finished game: its record, and what its clients sent and were answered."""
    store = build(settings(), redis)
    players = [store.registrations.register(name).player.id for name in ("Ann", "Bob")]
    made = store.games.create(players[0], NewGame(first_player="creator", seat="north"))
    invite = store.games.invitations.token(made.id)
    stored, sent = store.games.join(made.id, players[1], invite=invite), []
    for player, seat in zip(players * 2, ("north", "south") * 2, strict=True):
        action = store.games.view(stored, player).legal[0]
        stored = store.games.play(stored.id, player, [action])
        sent.append(Sent(seat, action, stored.version, stored.head))
    store.games.resign(stored.id, players[0])
    return [json.loads(line) for line in store.log.events.read(stored.id)], sent


def test_a_sound_game_has_no_fault(game: Game) -> None:
    assert faults(*game) == []


def test_an_action_without_an_answer_may_stand_there_or_not(game: Game) -> None:
    record, sent = game
    unanswered = [sent[0]._replace(version=0, head=""), *sent[1:], Sent("north", "R9@9")]
    assert faults(record, unanswered) == []


def test_a_double_append_is_noticed(game: Game) -> None:
    record, sent = game
    (turn,) = [line for line in record if line["seq"] == sent[0].version - 2]
    assert turn["type"] == "card_played"
    doubled = faults([*record, {**turn, "seq": len(record) + 1}], sent)
    assert f"north {sent[0].text}: 2 times" in doubled
    assert any("not sound" in fault for fault in doubled)


def test_a_lost_append_is_noticed(game: Game) -> None:
    record, sent = game
    left = faults(record[: sent[-1].version - 3], sent, full=False)
    assert left[0] == f"south {sent[-1].text}: acknowledged and lost"


def test_an_action_that_nobody_sent_is_noticed(game: Game) -> None:
    record, sent = game
    assert faults(record, sent[:-1]) == [f"south {sent[-1].text}: nobody sent it"]


def test_a_history_that_was_rewritten_is_noticed(game: Game) -> None:
    record, sent = game
    swapped = [each._replace(head=after.head) for each, after in pairwise(sent)]
    found = faults(record, [*swapped, sent[-1]])
    assert len(found) == 3
    assert all(fault.endswith("another head") for fault in found)


def test_an_unsound_log_is_noticed(game: Game) -> None:
    record, sent = game
    broken = [{**line, "salt": "00" * 32} if line["seq"] == 2 else line for line in record]
    assert ["not sound" in fault for fault in faults(broken, sent)] == [True]
