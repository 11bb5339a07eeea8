"""The checker of `bench.faults` notices each way in which a log can betray its clients."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from bench.faults.checking import Sent, faults, timeout_fault, view_faults
from engine import SEATS
from service.container import Container
from service.core.redis.client import Client
from service.core.times import DAY, HOUR
from service.games import NewGame
from service.games.reading import views
from tests.support.clock import Clock
from tests.support.settings import settings

Game = tuple[list[dict[str, Any]], list[Sent]]


NAMES = ("Ann", "Bob")


@pytest.fixture
def game(redis: Client) -> Game:
    """A finished game: its record, and what its clients sent and were answered."""
    store = Container(settings(), redis)
    players = [store.registrations.register(name).player.id for name in NAMES]
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


def test_a_lost_or_double_append_is_noticed(game: Game) -> None:
    record, sent = game
    (turn,) = [line for line in record if line["seq"] == sent[0].version - 2]
    assert turn["type"] == "card_played"
    doubled = faults([*record, {**turn, "seq": len(record) + 1}], sent)
    assert f"north {sent[0].text}: 2 times" in doubled
    assert any("not sound" in fault for fault in doubled)

    left = faults(record[: sent[-1].version - 3], sent, full=False)
    assert left[0] == f"south {sent[-1].text}: acknowledged and lost"


def test_an_action_that_nobody_sent_or_acknowledged_twice_is_noticed(game: Game) -> None:
    record, sent = game
    assert faults(record, sent[:-1]) == [f"south {sent[-1].text}: nobody sent it"]

    assert faults(record, [*sent, sent[0]]) == [f"north {sent[0].text}: acknowledged 2 times"]


def test_a_rewritten_or_unsound_log_is_noticed(game: Game) -> None:
    record, sent = game
    swapped = [each._replace(head=after.head) for each, after in pairwise(sent)]
    found = faults(record, [*swapped, sent[-1]])
    assert len(found) == 3
    assert all(fault.endswith("another head") for fault in found)

    broken = [{**line, "salt": "00" * 32} if line["seq"] == 2 else line for line in record]
    assert ["not sound" in fault for fault in faults(broken, sent)] == [True]


Leak = Callable[[dict[str, Any]], object]


def seen_faults(redis: Client, leak: Leak) -> list[str]:
    """What the checker says of the views of a short game, each changed by `leak`."""
    store = Container(settings(), redis)
    players = [store.registrations.register(name).player.id for name in NAMES]
    made = store.games.create(players[0], NewGame(first_player="creator", seat="north"))
    invite = store.games.invitations.token(made.id)
    stored = store.games.join(made.id, players[1], invite=invite)
    seen = []
    for seat, reader in [("north", players[0]), ("south", players[1]), (None, None)]:
        view = store.games.view_data(stored, reader)
        leak(view)
        seen.append((seat, views.to_json(view)))
    store.games.resign(stored.id, players[0])
    record = "\n".join(store.log.events.read(stored.id))
    seated, names = dict(zip(SEATS, players, strict=True)), dict(zip(players, NAMES, strict=True))
    return view_faults(stored.id, record, seen, seated, names)


def test_views_that_follow_from_the_record_have_no_fault(redis: Client) -> None:
    assert seen_faults(redis, lambda view: None) == []


def test_a_card_too_many_in_a_view_is_noticed(redis: Client) -> None:
    found = seen_faults(redis, lambda view: view.update(discard=["R9"]))
    assert [fault.partition(": ")[2] for fault in found] == [
        f"{seat} saw at version 3 in discard: ['R9']" for seat in ("north", "south", None)
    ]


def test_a_member_too_many_in_a_view_is_noticed(redis: Client) -> None:
    assert len(seen_faults(redis, lambda view: view.update(deck=["R9"]))) == 3


def test_a_record_that_cannot_be_replayed_is_a_fault(game: Game) -> None:
    lines = game[0]
    without_deal = "\n".join(map(json.dumps, [*lines[:2], *lines[3:]]))
    (fault,) = view_faults("g", without_deal, [], {}, {})
    assert fault.startswith("The log of game g is damaged")


def test_ratings_before_the_end_are_noticed(redis: Client) -> None:
    found = seen_faults(redis, lambda view: view.update(ratings={"north": {"rating": 1600}}))
    assert len(found) == 3
    assert all(" in ratings: " in fault for fault in found)


def test_a_view_of_a_version_that_is_not_there_is_noticed(redis: Client) -> None:
    found = seen_faults(redis, lambda view: view.update(version=99))
    assert all(fault.endswith("saw version 99, which is not there") for fault in found)


def late_by(redis: Client, seconds: float) -> str | None:
    """What the checker says of a game that ended so long after its deadline, an hour being well."""
    clock = Clock()
    store = Container(settings(), redis, now=clock)
    ann, bob = (store.registrations.register(name).player.id for name in NAMES)
    made = store.games.create(ann, NewGame(first_player="creator", clock={"days_per_move": 1}))
    store.games.join(made.id, bob, invite=store.games.invitations.token(made.id))
    store.log.outbox.finish_all([notice.id for notice in store.log.outbox.pending()])
    clock.time += DAY + seconds
    store.games.time_out(made.id)
    return timeout_fault(made.id, "\n".join(store.log.events.read(made.id)), HOUR)


def test_a_game_that_ended_at_its_deadline_has_no_fault(redis: Client) -> None:
    assert late_by(redis, 0) is None


def test_a_game_that_ended_long_after_its_deadline_is_noticed(redis: Client) -> None:
    assert late_by(redis, HOUR + 1) == "it ended 3601 s after its deadline"


def test_a_game_that_did_not_end_is_noticed(redis: Client) -> None:
    assert late_by(redis, -1) == "its time is not up yet: round_started"
