"""The hash chain, by the contract, and what of it each reader may see."""

import hashlib
import hmac
from typing import Any

import pytest

from engine.chain import (
    NO_HASH,
    UPCASTERS,
    EncodedEvent,
    canonical,
    encoded,
    hash_of,
    links,
    redact,
    salt_of,
    seal,
)
from tests.engine.games import record_of

SECRET = "0f" * 32


def test_an_event_is_sealed_as_the_contract_says() -> None:
    made, turned = (
        EncodedEvent("game_created", "north", {"b": 1, "a": "ä"}, {"secret": SECRET}),
        EncodedEvent("turn_ended", "north", {"next": "south"}),
    )
    first, second = seal(
        [made, turned],
        after=4, at="2026-11-21T12:00:00Z", via="mail", secret=SECRET, previous="ab" * 32,
    )  # fmt: skip
    assert set(first) == {
        "seq", "v", "at", "type", "by", "via", "data", "private", "salt", "hash",
    }  # fmt: skip
    assert (first["seq"], second["seq"], first["v"], first["via"]) == (5, 6, 1, "mail")
    assert (first["at"], first["type"], first["by"]) == (
        "2026-11-21T12:00:00Z", "game_created", "north",
    )  # fmt: skip
    salt = hmac.new(bytes.fromhex(SECRET), b"salt:5", hashlib.sha256).hexdigest()
    body = (
        '{"at":"2026-11-21T12:00:00Z","by":"north","data":{"a":"ä","b":1},"private":'
        f'{{"secret":"{SECRET}"}},"seq":5,"type":"game_created","v":1,"via":"mail"}}'
    )
    assert first["salt"] == salt == salt_of(SECRET, 5)
    text = f"{'ab' * 32}\n{salt}\n{body}"
    assert first["hash"] == hashlib.sha256(text.encode()).hexdigest()
    assert second["hash"] == hash_of(first["hash"], salt_of(SECRET, 6), second)
    assert second["private"] is None
    assert [encoded(line) for line in (first, second)] == [made, turned]


def test_a_link_is_the_canonical_text_of_its_event() -> None:
    events = [
        EncodedEvent(
            "card_drawn", "north", {"deck": "clan", "b": [1, None]}, {"cards": ['"ä\u2028\\']}
        ),
        EncodedEvent("round_started", None, {}, None, 2),
    ]
    told = {"after": 0, "at": "2026-11-21T12:00:00Z", "via": 'a "mail"', "secret": SECRET}
    found = list(links(events, **told, previous=NO_HASH))
    lines = list(seal(events, **told, previous=NO_HASH))
    assert [link.text for link in found] == [canonical(line) for line in lines]
    assert [link.hash for link in found] == [line["hash"] for line in lines]
    assert lines[1]["hash"] == hash_of(lines[0]["hash"], salt_of(SECRET, 2), lines[1])


def test_the_first_event_follows_sixty_four_zeros() -> None:
    assert NO_HASH == "0" * 64
    [line] = record_of([EncodedEvent("passed", "north", {})], SECRET)
    assert line["seq"] == 1
    assert line["hash"] == hash_of("0" * 64, salt_of(SECRET, 1), line)


@pytest.mark.parametrize("value", [1.5, {"a": [1, {"b": 0.0}]}, [[2.0]]])
def test_fractions_are_refused_however_deep(value: Any) -> None:
    with pytest.raises(ValueError, match="no fractions"):
        canonical(value)


@pytest.mark.parametrize("type_", ["card_drawn", "cards_recruited", "cards_returned"])
def test_private_cards_are_for_whoever_drew_or_returned_them(type_: str) -> None:
    [line] = record_of([EncodedEvent(type_, "north", {"deck": "clan"}, {"cards": ["R1"]})], SECRET)
    hidden = {**line, "private": None, "salt": None}
    assert redact(line, "north", over=False) == line
    assert redact(line, "south", over=False) == hidden
    assert redact(line, None, over=False) == hidden
    assert redact(line, None, over=True) == line


@pytest.mark.parametrize(("type_", "by"), [("game_created", "north"), ("round_started", None)])
def test_secret_and_decks_are_for_nobody_before_the_end(type_: str, by: str | None) -> None:
    [line] = record_of([EncodedEvent(type_, by, {}, {"secret": SECRET})], SECRET)
    for seat in ("north", "south", None):
        assert redact(line, seat, over=False) == {**line, "private": None, "salt": None}
        assert redact(line, seat, over=True) == line


def test_what_is_public_is_shown_with_its_salt() -> None:
    [line] = record_of([EncodedEvent("stone_claimed", "north", {"stone": 3})], SECRET)
    for seat in ("north", "south", None):
        assert redact(line, seat, over=False) == line


def test_an_older_event_is_read_in_the_newest_version_of_its_type(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def rename(event: EncodedEvent) -> EncodedEvent:
        return event._replace(
            type="card_drawn", data={"deck": "clan"}, private={"cards": [event.private["card"]]}
        )

    monkeypatch.setitem(UPCASTERS, ("card_taken", 1), rename)
    [line] = record_of([EncodedEvent("card_taken", "north", {"from": "C"}, {"card": "R1"})], SECRET)
    assert encoded(line) == EncodedEvent(
        "card_drawn", "north", {"deck": "clan"}, {"cards": ["R1"]}, v=2
    )
