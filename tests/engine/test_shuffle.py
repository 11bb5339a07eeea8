"""The verifiable shuffle, against a second writing of the contract and against fixed vectors."""

import hashlib
from collections import Counter
from typing import Any

from engine.cards import CLAN_CARDS, SEATS, TACTIC_CARDS
from engine.shuffle import _below, commitment, decks, first_by_lot, seed, shuffled

SECRET = "00112233445566778899aabbccddeeff" * 2


def by_the_contract(cards: Any, seed_: Any, label: Any) -> Any:
    """The contract's sentences, one a line."""
    stream = b"".join(
        hashlib.sha256(seed_ + label.encode() + i.to_bytes(8, "big")).digest() for i in range(40)
    )
    words = [int.from_bytes(stream[k : k + 4], "big") for k in range(0, len(stream), 4)]
    deck = list(cards)
    for i in range(len(deck) - 1, 0, -1):
        n = i + 1
        while (word := words.pop(0)) >= 2**32 - 2**32 % n:
            pass
        deck[i], deck[word % n] = deck[word % n], deck[i]
    return deck


def test_the_seed_mixes_the_secret_and_both_salts() -> None:
    joined = bytes.fromhex(SECRET) + b"\0" + "Ånn".encode() + b"\0" + b"bob"
    assert seed(SECRET, "Ånn", "bob") == hashlib.sha256(joined).digest()
    assert commitment(SECRET) == hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()


def test_decks_are_shuffled_as_the_contract_says_and_a_fixed_vector_never_changes() -> None:
    seed_ = seed(SECRET, "ann", "bob")
    for round_ in (1, 2, 12):
        dealt = decks(seed_, round_, tactics=True)
        assert dealt["clan"] == by_the_contract(CLAN_CARDS, seed_, f"clan:{round_}")
        assert dealt["tactic"] == by_the_contract(TACTIC_CARDS, seed_, f"tactic:{round_}")

    assert seed_.hex() == "4cb66ac22805d9aa6ca094c2af8facf1ccabf6d080c865f915f91b2e2898e1f3"
    assert (
        " ".join(decks(seed_, 1, tactics=True)["clan"][:12])
        == "P9 R4 Y5 O6 O2 R7 P5 O9 G6 G5 R8 Y2"
    )
    assert (
        " ".join(decks(seed_, 1, tactics=True)["tactic"])
        == "TRA REC JOK SPY BAN JOK MUD BMB SHB STR"
    )
    assert first_by_lot(seed_) == "north"


def test_unshuffled_the_two_jokers_come_first() -> None:
    assert TACTIC_CARDS == ("JOK", "JOK", "SPY", "SHB", "BMB", "MUD", "REC", "STR", "BAN", "TRA")
    assert CLAN_CARDS[:10] == ("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "O1")


def test_without_tactics_there_is_no_second_deck() -> None:
    assert decks(seed(SECRET, "", ""), 1, tactics=False)["tactic"] == []


def test_every_order_of_three_is_about_as_likely() -> None:
    orders = Counter(
        "".join(shuffled("abc", number.to_bytes(4, "big"), "x")) for number in range(6000)
    )
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_words_past_the_last_whole_multiple_are_passed_by() -> None:
    last = 2**32 - 1  # three numbers share 2**32 - 1 words; the very last one is too many
    assert _below(3, iter([last, 5])) == 2
    assert _below(3, iter([last - 1, 5])) == (last - 1) % 3 == 2
    assert _below(3, iter([last, last, 4])) == 1
    assert _below(2, iter([last])) == 1


def test_the_lot_is_the_first_word_of_its_stream() -> None:
    for number in range(20):
        seed_ = number.to_bytes(4, "big")
        block = hashlib.sha256(seed_ + b"first:1" + bytes(8)).digest()
        assert first_by_lot(seed_) == SEATS[block[3] % 2]


def test_the_lot_falls_on_either_seat() -> None:
    lots = Counter(first_by_lot(number.to_bytes(4, "big")) for number in range(400))
    assert min(lots["north"], lots["south"]) > 150
