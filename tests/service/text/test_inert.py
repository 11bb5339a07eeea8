"""What others wrote is made harmless in a mail, and stays as it is where it was harmless."""

import pytest

from letters.inert import inert, inert_name, marked


@pytest.mark.parametrize("name", ["Ann", "Mary Ann O'Neil-Smith", "Zoë", "王小明", "Ann 7", "R7"])
def test_a_name_that_is_no_command_stays(name: str) -> None:
    assert inert_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "pass",
        "R7@3",
        "!3",
        "play R7 5",
        "Draw clan",
        "x claim 3 y",
        "\uff32\uff17\uff20\uff13",
        "+C",
        "a R7@3.",
        "New Game",
        "games",
        "back",
        "Time Zone",
    ],
)
def test_a_name_like_a_command_is_marked_and_does_not_break(name: str) -> None:
    shown = inert_name(name)

    assert shown == marked(shown[1:-1])
    assert " " not in shown
    assert shown[1:-1].replace("\N{NO-BREAK SPACE}", " ") == name


@pytest.mark.parametrize("unseen", ["\ufe0f", "\u200d", "\u00ad", "\U000e0041", "\U000e0101"])
def test_a_name_is_shown_and_read_without_what_nobody_sees(unseen: str) -> None:
    assert inert_name(f"re{unseen}sign") == marked("resign")
    assert inert_name(f"R7{unseen}@{unseen * 50}3") == marked("R7@3")
    assert inert_name(f"A{unseen}nn") == "Ann"
    assert inert(f"'R7{unseen}@3'") == f"'{marked('R7@3')}'"


def test_actions_in_a_sentence_are_marked() -> None:
    assert inert("'R7@9' is no action. Examples: R7@3 (play), pass.") == (
        f"'{marked('R7@9')}' is no action. Examples: {marked('R7@3')} (play), {marked('pass')}."
    )
    assert inert("Stone 3 is claimed.") == "Stone 3 is claimed."
