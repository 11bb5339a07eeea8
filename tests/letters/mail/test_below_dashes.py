"""What stands below two dashes is a signature, if it can say nothing of the turn above."""

import pytest

from letters.commands import WholeTurn
from tests.letters.reading import letter

TURN = WholeTurn(("R7@3",))


@pytest.mark.parametrize("mark", ["--", "-- "])
@pytest.mark.parametrize(
    "below",
    [
        "Ada",
        "Ada\nOn the bus, please excuse typos",
        "Ada\nOn the bus\nLife is a garden!\n+49 170 1234567",
        "Ada Lovelace\nPoet and gardener",
    ],
)
def test_a_few_lines_below_a_name_are_signature(mark: str, below: str) -> None:
    assert letter(f"R7 at 3\n\n{mark}\n{below}").answer == TURN


@pytest.mark.parametrize(
    "below",
    [
        "On the bus, please excuse typos",
        "Ada\nOn second thoughts",
        "Ada\nwait",
        "Ada\nR8 at 3",
        "Ada\nred seven at stone three",
        "Ada\nresign",
        "Ada\nabandonne",
        "Ada\nIs Ben sure?",
        "Ada\nPS I'd rather have the eight",
        "Ada\nBen told me this",
        "Ada\nonly for a laugh",
        "Ada\nOne\nTwo\nMany\nMore",
    ],
)
def test_other_lines_are_asked_about(below: str) -> None:
    assert letter(f"R7 at 3\n\n--\n{below}").answer != TURN
