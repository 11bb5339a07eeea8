"""What the rules say when they refuse, in the reader's language."""

import ast
from pathlib import Path

from engine.errors import illegal
from service.core.words import ENGLISH, PSEUDO_CODE, Languages
from service.text.refusals import SENTENCES, refusal_words

PSEUDO = Languages().words(PSEUDO_CODE)
ENGINE = Path(__file__).parents[3] / "engine"


def test_each_sentence_is_one_of_the_engine() -> None:
    trees = [ast.parse(path.read_text()) for path in ENGINE.glob("*.py")]
    texts = {
        node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)
    }

    assert SENTENCES - texts == set()


def test_a_sentence_is_said_in_the_language_and_one_with_a_card_as_it_is() -> None:
    full, held = "Your hand is full.", "You do not hold R7."

    assert refusal_words(ENGLISH, illegal("cannot-draw", full)) == full
    assert refusal_words(PSEUDO, illegal("cannot-draw", full)) == PSEUDO.say(full)
    assert refusal_words(PSEUDO, illegal("card-not-in-hand", held)) == held
