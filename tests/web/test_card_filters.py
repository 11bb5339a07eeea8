"""Cards in sentences."""

from service.web.card_filters import cards_named


def test_cards_are_picked_out_of_a_sentence() -> None:
    assert cards_named("Bob played Red 7 at Stone 3, then the Mud Fight.") == [
        ("", "Bob played "),
        ("R7", "Red 7"),
        ("", " at Stone 3, then the "),
        ("MUD", "Mud Fight"),
        ("", "."),
    ]


def test_other_words_and_numbers_are_no_cards() -> None:
    for sentence in ("Red 70 and Fred 7", "Spying", "Round 1 began."):
        assert cards_named(sentence) == [("", sentence)]
