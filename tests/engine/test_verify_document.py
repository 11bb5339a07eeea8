"""`docs/verify.md` is enough to check a game: the code here is written from it, and from it alone.

It uses nothing of the engine, but is held against it.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import chain, shuffle
from engine.record import from_jsonl
from engine.verify import verify_chain
from tests.engine.games import KINDS, record_of, whole_game

DOCUMENT = (Path(__file__).parents[2] / "docs" / "verify.md").read_text(encoding="utf-8")
CLAN = [colour + str(strength) for colour in "ROYGBP" for strength in range(1, 10)]
TACTIC = ["JOK", "JOK", "SPY", "SHB", "BMB", "MUD", "REC", "STR", "BAN", "TRA"]


def block(kind: Any) -> Any:
    return re.search(rf"```{kind}\n(.*?)```", DOCUMENT, re.S)[1]


@pytest.fixture(scope="module")
def vectors() -> Any:
    return json.loads(block("json"))


@pytest.fixture(scope="module")
def record() -> Any:
    return [json.loads(row) for row in block("jsonl").splitlines()]


# As the document says


def seed_of(secret: Any, creator_salt: Any, joiner_salt: Any) -> Any:
    parts = [bytes.fromhex(secret), creator_salt.encode(), joiner_salt.encode()]
    return hashlib.sha256(b"\x00".join(parts)).digest()


def words(seed: Any, label: Any) -> Iterator[Any]:
    block = 0
    while True:
        digest = hashlib.sha256(seed + label.encode() + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def number_below(bound: Any, stream: Any) -> Any:
    while True:
        word = next(stream)
        if word < 2**32 - 2**32 % bound:
            return word % bound


def shuffled(cards: Any, seed: Any, label: Any) -> Any:
    cards, stream = list(cards), words(seed, label)
    for place in reversed(range(1, len(cards))):
        other = number_below(place + 1, stream)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def salt_of(secret: Any, seq: Any) -> Any:
    return hmac.new(bytes.fromhex(secret), b"salt:%d" % seq, "sha256").hexdigest()


def link(previous: Any, event: Any) -> Any:
    told = {key: value for key, value in event.items() if key not in ("salt", "hash")}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(f"{previous}\n{event['salt']}\n{text}".encode()).hexdigest()


def check(record: Any) -> None:
    """The steps 1 to 3 of the document, for a full record."""
    secret, previous = record[0]["private"]["secret"], "0" * 64
    assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == record[0]["data"]["commitment"]
    for seq, event in enumerate(record, 1):
        assert event["seq"] == seq
        assert event["salt"] == salt_of(secret, seq)
        assert event["hash"] == link(previous, event)
        previous = event["hash"]
    seed = seed_of(secret, record[0]["data"]["salt"], record[1]["data"]["salt"])
    for event in record:
        if event["type"] == "round_started":
            number = event["data"]["round"]
            tactic = TACTIC if record[0]["data"]["tactics"] else []
            assert event["private"] == {
                "clan": shuffled(CLAN, seed, f"clan:{number}"),
                "tactic": shuffled(tactic, seed, f"tactic:{number}"),
            }


# Held against the vectors, and against the engine


def test_the_vectors_are_those_of_a_checker_written_from_the_document(vectors: Any) -> None:
    seed = seed_of(vectors["secret"], vectors["creator_salt"], vectors["joiner_salt"])
    assert vectors["seed"] == seed.hex()
    stream = words(seed, "clan:1")
    assert vectors["words_of_clan_1"] == [next(stream) for _ in vectors["words_of_clan_1"]]
    assert vectors["first_by_lot"] == ["north", "south"][number_below(2, words(seed, "first:1"))]
    assert vectors["clan_1"] == shuffled(CLAN, seed, "clan:1")
    assert vectors["tactic_1"] == shuffled(TACTIC, seed, "tactic:1")
    assert vectors["clan_2_begins"] == shuffled(CLAN, seed, "clan:2")[:6]
    assert vectors["salts"] == [salt_of(vectors["secret"], seq) for seq in (1, 2, 3)]


def test_the_vectors_are_those_of_the_engine(vectors: Any) -> None:
    seed = shuffle.seed(vectors["secret"], vectors["creator_salt"], vectors["joiner_salt"])
    assert vectors["commitment"] == shuffle.commitment(vectors["secret"])
    assert vectors["seed"] == seed.hex()
    assert vectors["first_by_lot"] == shuffle.first_by_lot(seed)
    decks = shuffle.decks(seed, 1, True)
    assert (vectors["clan_1"], vectors["tactic_1"]) == (decks["clan"], decks["tactic"])
    assert vectors["clan_2_begins"] == shuffle.decks(seed, 2, False)["clan"][:6]
    assert vectors["salts"] == [chain.salt_of(vectors["secret"], seq) for seq in (1, 2, 3)]


def test_the_events_shown_are_those_of_the_vectors_and_sound(vectors: Any, record: Any) -> None:
    check(record)
    assert verify_chain(from_jsonl(block("jsonl"))) is None
    assert record[0]["private"]["secret"] == vectors["secret"]
    assert record[2]["data"]["first"] == vectors["first_by_lot"]
    assert record[2]["private"] == {"clan": vectors["clan_1"], "tactic": vectors["tactic_1"]}


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_checker_written_from_the_document_finds_the_engine_s_games_sound(kind: Any) -> None:
    game, events = whole_game(kind._replace(rounds=2), 11)
    record = record_of(events, game.secret)
    check(record)
    follow_the_cards(record)


def follow_the_cards(record: Any) -> None:
    """Step 4: whatever is drawn is the top of its deck, whatever is played was in the hand."""
    size = record[0]["data"]["options"]["hand_size"]
    decks, hands = {}, {}
    for event in record:
        data, private, by = event["data"], event["private"], event["by"]
        if event["type"] == "round_started":
            decks = {name: list(cards) for name, cards in private.items()}
            seats = [data["first"], {"north": "south", "south": "north"}[data["first"]]]
            hands = {seat: [] for seat in seats}
            for _ in range(size):
                for seat in seats:
                    hands[seat].append(decks["clan"].pop(0))
        elif event["type"] == "card_drawn":
            assert private["cards"] == [decks[data["deck"]].pop(0)]
            hands[by] += private["cards"]
        elif event["type"] == "cards_recruited":
            drawn = [decks["clan"].pop(0) for _ in range(data["clan"])]
            drawn += [decks["tactic"].pop(0) for _ in range(data["tactic"])]
            assert private["cards"] == drawn
            hands[by] += drawn
        elif event["type"] == "cards_returned":
            for card in private["cards"]:
                hands[by].remove(card)
                decks["clan" if card in CLAN else "tactic"].append(card)
        elif event["type"] in ("card_played", "ruse_played"):
            hands[by].remove(data["card"])
