"""One player's requests, however many: nothing that is stored of a game grows without end."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from flask import Flask

from service.core.redis.client import Client
from service.core.times import timestamp
from service.eventlog import keys
from tests.support.clock import Clock
from tests.support.people import Person, Started

DAY: Final = 86_400
DIGITS: Final = 16
"""Bytes that a few longer numbers may take."""
TIMES: Final = 40
"""More than is kept of anything but messages: of idempotency keys 20 for each player."""
MESSAGES: Final = 220
"""More messages than are kept."""

KIND: Final = "/<offer:offer_kind>"

Send = Callable[[str, str, Any], None]


def _offers(send: Send, number: int, clock: Clock) -> None:
    send("POST", "offers", {"kind": "abandonment"})
    if number % 2:
        send("DELETE", "offers/abandonment", None)
    send("POST", "offers", {"kind": "abandonment", "number": number + 1})


def _pauses(send: Send, number: int, clock: Clock) -> None:
    until = timestamp(clock.time + DAY + number % 7 * 60)
    send("POST", "offers", {"kind": "pause", "until": until})
    send("POST", "clock", {"resume": True})
    if number % 3 == 0:
        send("DELETE", "offers/pause", None)


def _clock(send: Send, number: int, clock: Clock) -> None:
    send("POST", "clock", {"give": {"hours": 1}})
    send("POST", "time-out", {})
    send("POST", "clock", {"seconds": 60})  # in a sandbox alone


def _play(send: Send, number: int, clock: Clock) -> None:
    """Of turns all are refused: whatever is carried out is an event of the game."""
    send("POST", "turns", {"actions": ["R1@9", f"!{number % 9 + 1}"]})
    send("POST", "moves", {"card": "R1", "stone": 1})
    send("POST", "claims", {"stone": number % 9 + 1})
    send("POST", "join", {})
    send("DELETE", "", None)


def _orders(send: Send, number: int, clock: Clock) -> None:
    send("PUT", "orders", {"claim_proved": bool(number % 2)})
    if number % 5 == 0:
        send("PUT", "orders", {})


def _messages(send: Send, number: int, clock: Clock) -> None:
    clock.time += 3600  # for there are limits of a day
    send("POST", "messages", {"text": f"{number:04}"})
    send("PUT", "messages/read", {"number": number + 1})
    send("POST", "messages/reports", {"number": 1, "reason": f"{number:04}"})
    if number % 7 == 0:
        for wanted in (False, True):
            send("PATCH", "settings", {"messages_wanted": wanted})


def _choices(send: Send, number: int, clock: Clock) -> None:
    delivery = ("off", "digest", "at_once", None)[number % 4]
    send("PATCH", "settings", {"note": f"{number:04}", "delivery": delivery})


def _endings(send: Send, number: int, clock: Clock) -> None:
    send("POST", "resignation", {})
    send("POST", "rematch", {})
    send("POST", "analysis", {})


OPERATIONS: Final = (_offers, _pauses, _clock, _play, _orders, _messages, _choices, _endings)


CARRIED_OUT: Final[dict[str, list[tuple[str, str]]]] = {
    "_offers": [("POST", "offers"), ("DELETE", "offers/abandonment")],
    "_pauses": [("POST", "offers"), ("DELETE", "offers/pause")],
    "_clock": [("POST", "clock")],
    "_play": [],
    "_orders": [("PUT", "orders")],
    "_messages": [("POST", "messages"), ("PUT", "messages/read"), ("PATCH", "settings")],
    "_choices": [("PATCH", "settings")],
    "_endings": [("POST", each) for each in ("resignation", "rematch", "analysis")],
}
"""What of it is carried out, and not only refused."""


@pytest.fixture
def asked() -> Counter[tuple[str, str]]:
    """How often which operation was carried out."""
    return Counter()


def _sender(person: Person, game: Started, asked: Counter[tuple[str, str]]) -> Send:
    """Sends requests about this game, each under a key of its own."""
    serial = iter(range(1_000_000))

    def send(method: str, path: str, body: Any) -> None:
        url = f"{game.path}/{path}".rstrip("/")
        key = {"Idempotency-Key": f"request {next(serial):06}"}
        answer = person.send(method, url, json=body, headers=key)
        assert answer.status_code < 500, answer.text
        asked[method, path] += answer.status_code < 300

    return send


def _sizes(redis: Client, game: Started) -> dict[str, tuple[int, int]]:
    """Members and bytes of each key in the game's bucket; of its log those beyond the version that
    its players know, which is none.

    The bytes are those of a dump. The memory depends on where a hash table happens to put its
    members, by some hundred bytes.
    """
    found = {}
    for key in redis.scan_iter(match=f"st:{{{keys.bucket_of(game.id):02d}}}:*"):
        kind = redis.type(key)
        members = {"hash": "HLEN", "zset": "ZCARD", "set": "SCARD", "stream": "XLEN"}
        count = redis.execute_command(members.get(kind, "STRLEN"), key)
        if key == keys.log_key(game.id):
            assert count == game.view()["version"]
        found[key] = count, len(redis.dump(key))
    return found


@pytest.mark.parametrize("operations", OPERATIONS)
def test_what_is_stored_of_a_game_stays_as_it_is_however_much_a_player_asks(
    operations: Callable[[Send, int, Clock], None],
    ada: Person,
    bob: Person,
    asked: Counter[tuple[str, str]],
) -> None:
    game = Started(ada, bob, clock={"days_per_move": 90, "time_out": "claim"})
    send, sizes = _sender(bob, game, asked), []
    times = MESSAGES if operations is _messages else TIMES
    for _ in range(2):
        for number in range(times):
            operations(send, number, ada.clock)
            ada.clock.time += 1
        sizes.append(_sizes(ada.container.redis, game))
    assert all(asked[operation] for operation in CARRIED_OUT[operations.__name__])
    first, second = sizes
    assert {key: size[0] for key, size in second.items()} == {
        key: size[0] for key, size in first.items()
    }
    for key, (_, size) in second.items():
        assert size <= first[key][1] * 1.02 + DIGITS, key


def _writing(app: Flask) -> Iterator[tuple[str, str]]:
    """Each writing operation on a game."""
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/v1/games/<") and rule.methods is not None:
            path = rule.rule.partition(">")[2].removeprefix("/")
            yield from (
                (method, path) for method in rule.methods & {"POST", "PUT", "PATCH", "DELETE"}
            )


def test_every_writing_operation_on_a_game_is_asked_for(app: Flask, clock: Clock) -> None:
    sent: set[tuple[str, str]] = set()

    def send(method: str, path: str, body: Any) -> None:
        sent.add((method, path.replace("/pause", KIND).replace("/abandonment", KIND)))

    for operations in OPERATIONS:
        for number in range(TIMES):
            operations(send, number, clock)
    assert sent == set(_writing(app)) - {("POST", "practice")}  # that makes another game
