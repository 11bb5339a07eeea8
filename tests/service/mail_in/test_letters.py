"""The letters of `tests/support/letters`, read by the real intake in real games.

`letters_failing.txt` lists those that are not yet understood, and what becomes of each. It can only
shrink: a letter that is understood leaves it, and no other joins it.
"""

from pathlib import Path

import pytest

from tests.mail.position import Positions
from tests.service.mail_in.letters_table import VERDICTS, failing, follows, is_turn
from tests.support.letters import CLASSES, letters, of_class
from tests.support.shares import share

LISTED = dict(
    line.split(" ", 1)
    for line in (Path(__file__).parent / "letters_failing.txt").read_text().splitlines()
)

NEVER_PLAYED = {"traps", "pretexts"}
"""The classes of which every letter is read each time: nothing may be played by mistake."""


def test_each_letter_has_an_id_of_its_own() -> None:
    ids = [letter.id for letter in letters()]
    assert len(ids) == len(set(ids))


def test_only_letters_are_listed_as_failing() -> None:
    assert set(LISTED) <= {letter.id for letter in letters()}
    assert set(LISTED.values()) <= set(VERDICTS[1:])


def test_the_turns_that_are_meant_are_within_the_rules(positions: Positions) -> None:
    meant = {(letter.situation, letter.outcomes) for letter in letters() if is_turn(letter)}
    for situation, outcomes in meant:
        position = positions.put(situation)
        turns = [outcome.partition(" says: ")[0].removeprefix("plays ") for outcome in outcomes]
        assert any(follows(position, turn) for turn in turns), outcomes


@pytest.mark.parametrize("kind", CLASSES)
def test_a_letter_is_understood_unless_it_is_listed(positions: Positions, kind: str) -> None:
    read = of_class(kind) if kind in NEVER_PLAYED else share(of_class(kind), every=6)
    ids = {letter.id for letter in read}
    assert failing(positions, read) == {name: LISTED[name] for name in ids & LISTED.keys()}
