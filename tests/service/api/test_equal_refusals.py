"""What is refused is answered to the byte alike in games that differ in hidden cards."""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

import engine
from engine.events import RoundStarted
from engine.notation import requests_of
from engine.verify import action_of
from service.api.endpoints.play import actions_of
from service.api.schemas.fields import load
from service.api.schemas.inputs import MoveInput
from service.container import EXTENSION, Container
from service.core.redis.client import Client
from service.eventlog import Changed, FieldChange
from service.games.drafts import Orders, TurnOrder, orders_text
from tests.engine.twins import any_action, twin_of
from tests.support.clock import Clock
from tests.support.games import GAME, SECRET, stored
from tests.support.people import Person, headers_of

PATH = f"/games/{GAME}"
SEALED = re.compile(r'("head":|"hash":|Head )"[0-9a-f]{64}"')
READ = ("", "?at=3", "/events", "/record", "/record?format=text", "/proofs", "/orders")


class Twins:
    """Two games that Ada (north) cannot tell apart, one after the other under the same id."""

    def __init__(
        self, redis: Any, app: Any, container: Any, clock: Any, ada: Person, bob: Person
    ) -> None:
        self._redis, self._app, self._clock = redis, app, clock
        self.container = container
        self.ada = ada
        self.bob = bob
        self.chance = random.Random()
        self.game, self.events = _begun(ada.id, bob.id)

    def begin(self, seed: int) -> None:
        """A game in which Ada is to play and holds a Recruiter."""
        self.chance = random.Random(seed)
        self.game, self.events = _begun(self.ada.id, self.bob.id)
        for _ in range(2 * self.chance.randint(2, 8)):
            plays = [text for text in engine.legal(self.game) if text[1].isdigit()]
            self.act(self.chance.choice(plays))
            if self.game.phase == "finish":
                self.act("+T" if "+T" in engine.legal(self.game) else "+C")
        assert self.recruits()

    def recruits(self) -> list[str]:
        possible = engine.legal(self.game) if self.game.turn == "north" else []
        return [text for text in possible if text.startswith("REC")]

    def act(self, action: str) -> None:
        """Whoever is to move takes an action."""
        assert self.game.turn is not None, "the game is over"
        take = engine.TakeTurn(self.game.turn, [action])
        self.game, more = engine.advance(self.game, take)
        self.events += more

    def refused_turns(self) -> Iterator[list[str]]:
        """Turns of Ada's that are refused, some of them for what comes after a Recruiter."""
        while True:
            first = [self.chance.choice(self.recruits())] if self.chance.random() < 0.6 else []
            more = [any_action(self.game, self.chance) for _ in range(self.chance.randint(1, 3))]
            if _refused(self.game, [*first, *more]):
                yield [*first, *more]

    def told(
        self, ask: Callable[[], list[TestResponse]], upto: int | None = None
    ) -> list[dict[str, Any]]:
        """What `ask` brings after the first `upto` events of either game: it has to be equal."""
        one, other = (
            self._told(ask, events[:upto])
            for events in (self.events, twin_of(self.events, "north", self.chance))
        )
        assert one == other
        return one

    def _told(
        self, ask: Callable[[], list[TestResponse]], events: list[engine.Event]
    ) -> list[dict[str, Any]]:
        for key in [*self._redis.scan_iter("st:*:g*"), *self._redis.scan_iter("st:*:games:*")]:
            self._redis.unlink(key)
        self.container = Container(self.container.settings, self._redis, self._clock)
        self._app.extensions[EXTENSION] = self.container
        stored(self.container, events)
        return [
            {
                "status": answer.status_code,
                "headers": headers_of(answer),
                "body": SEALED.sub("", answer.text),
            }
            for answer in ask()
        ]


@pytest.fixture
def twins(
    redis: Client, app: Flask, container: Container, clock: Clock, ada: Person, bob: Person
) -> Twins:
    return Twins(redis, app, container, clock, ada, bob)


def _begun(north: str, south: str) -> tuple[engine.Game, list[engine.Event]]:
    terms = {"clock": None, "invited": None, "invited_by_mail": False, "listed": False}
    create = engine.CreateGame(
        player=north,
        seat="north",
        edition="iello",
        tactics=True,
        expert=False,
        rounds=1,
        first_player="creator",
        secret=SECRET,
        salt="north's",
        terms={**terms, "private": False},
    )
    game, events = engine.advance(None, create)
    game, more = engine.advance(game, engine.JoinGame(south, "south's"))
    events += [_with_recruiter(event) for event in more]
    return engine.replay(events), events


def _with_recruiter(event: engine.Event) -> engine.Event:
    """The Recruiter on top of the Tactic deck, of which north draws first."""
    if not isinstance(event, RoundStarted):
        return event
    tactic = sorted(event.tactic or (), key=lambda card: card != "REC")
    return replace(event, tactic=tuple(tactic))


def _refused(game: engine.Game, actions: list[str]) -> bool:
    try:
        engine.advance(game, engine.TakeTurn("north", actions))
    except engine.RuleBroken:
        return True
    return False


def _move(twins: Twins) -> dict[str, Any]:
    """A Recruiter as a move, with what cannot follow it."""
    ways = twins.chance.choice(twins.recruits()).removeprefix("REC:")
    draws = [{"C": "clan", "T": "tactic"}[letter] for letter in ways]
    stones = twins.chance.sample(range(1, 10), twins.chance.randint(1, 3))
    more = twins.chance.choice([{"claims": stones}, {"draw": "clan"}, {"draw": "tactic"}])
    return {"card": "REC", "draws": draws, **more}


@pytest.mark.parametrize("seed", range(3))
def test_refused_turns_moves_and_claims(twins: Twins, seed: int) -> None:
    twins.begin(seed)
    refused = twins.refused_turns()
    turns = [next(refused) for _ in range(25)]
    moves = [_move(twins) for _ in range(5)]
    assert all(_refused(twins.game, actions_of(load(MoveInput, move), False)) for move in moves)
    stones = [n for n in range(1, 10) if _refused(twins.game, [f"!{n}"])]

    def ask() -> list[TestResponse]:
        return [
            *(twins.ada.post(f"{PATH}/turns", {"actions": turn}) for turn in turns),
            *(twins.ada.post(f"{PATH}/moves", move) for move in moves),
            *(twins.ada.post(f"{PATH}/claims", {"stone": stone}) for stone in stones),
            *(twins.ada.get(PATH + part) for part in READ),
        ]

    told = twins.told(ask)
    assert [answer["status"] for answer in told[-len(READ) :]] == [200] * len(READ)
    assert all(answer["status"] in (409, 422) for answer in told[: -len(READ)])
    for turn, answer in zip(turns, told, strict=False):
        shows = [text for text in turn[:-1] if text.startswith("REC:")]
        if shows and answer["status"] == 409:
            assert json.loads(answer["body"])["refusal"] == "after-hidden-cards"


@pytest.mark.parametrize("claiming", [False, True])
def test_orders_refused_when_they_are_given(twins: Twins, claiming: bool) -> None:
    twins.begin(7)
    turns = [["REC:CCC", "-R1,G4"], ["rec:t", "+c"], ["R1@1", "+C", "!1"], ["REC:CT", "pass"]]

    def ask() -> list[TestResponse]:
        bodies = [{"claim_proved": claiming, "turn": {"actions": turn}} for turn in turns]
        return [*(twins.ada.put(f"{PATH}/orders", body) for body in bodies)]

    told = [json.loads(answer["body"]) for answer in twins.told(ask)]
    assert {answer["code"] for answer in told} == {"illegal-action"}
    assert {answer["rule"] for answer in told} == {5, 23}


@pytest.mark.parametrize("seed", range(4))
def test_orders_cancelled_when_their_turn_comes(twins: Twins, seed: int) -> None:
    """Ada orders something that will not be legal; then Bob moves, and she reads what became."""
    twins.begin(seed)
    twins.act("pass" if "pass" in engine.legal(twins.game) else engine.legal(twins.game)[0])
    while twins.game.turn == "north":
        twins.act(engine.legal(twins.game)[-1])
    given, done = len(twins.events), list[str]()
    while twins.game.turn == "south":
        done.append(engine.legal(twins.game)[-1 if done else 0])
        twins.act(done[-1])
    orders = [any_action(twins.game, twins.chance) for _ in range(60)]
    cancelled = [order for order in orders if _refused(twins.game, [order])][:6]
    assert cancelled
    for number, order in enumerate(cancelled):
        body = {"claim_proved": number % 2 == 0, "turn": {"actions": [order]}}

        def ask(body: dict[str, Any] = body) -> list[TestResponse]:
            put = twins.ada.put(f"{PATH}/orders", body)
            for request in requests_of(done):
                assert twins.bob.post(f"{PATH}/turns", {"actions": request}).status_code == 200
            return [put, *(twins.ada.get(PATH + part) for part in READ)]

        told = twins.told(ask, upto=given)
        last = json.loads(told[-1]["body"])["last"]
        assert told[0]["status"] == 422 or last["outcome"] == "cancelled"


def test_an_order_kept_from_before_that_goes_on_after_a_recruiter(twins: Twins) -> None:
    """Such an order could once be given; it comes to nothing, whatever the decks hold."""
    twins.begin(5)
    twins.act(next(text for text in engine.legal(twins.game) if text[1].isdigit()))
    while twins.game.turn == "north":
        twins.act(engine.legal(twins.game)[-1])
    given = len(twins.events)
    while twins.game.turn == "south":
        twins.act(engine.legal(twins.game)[0])
    done = [action_of(event) for event in twins.events[given:-1]]
    old = Orders(turn=TurnOrder(("REC:CCC", "-R1,G4")))

    def ask() -> list[TestResponse]:
        log = twins.container.log
        assert Changed() == log.side_state.change(
            GAME, [FieldChange("north", "", orders_text(old))], version=given
        )
        assert twins.bob.post(f"{PATH}/turns", {"actions": done}).status_code == 200
        return [twins.ada.get(PATH + part) for part in READ]

    last = json.loads(twins.told(ask, upto=given)[-1]["body"])["last"]
    assert (last["outcome"], last["code"]) == ("cancelled", "illegal-action")
    assert last["detail"].startswith("Nothing can follow a Recruiter")
