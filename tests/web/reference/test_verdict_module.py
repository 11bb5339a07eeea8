"""`verdict.js` says in a sentence what the checks show, and no more."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.modules import run_module

ALL = ["Chain", "Secret", "Shuffle", "First player", "Cards"]


def check(name: str, state: str = "passed", **more: Any) -> dict[str, Any]:
    return {"name": name, "state": state, "seq": None, "text": f"{name} as checked.", **more}


def verdict(folder: Path, *checks: dict[str, Any], nobody: bool = False) -> str:
    given = "given, true" if nobody else "given"
    code = f"console.log(JSON.stringify(module.verdict({given}).filter(Boolean).join(' ')))"
    return str(run_module(folder, "verdict", code, checks, "verify"))


@pytest.mark.parametrize(
    ("further", "begins", "ends"),
    [
        ([], "Nothing is wrong. All cards came in the order of one shuffle", "cannot show."),
        (["Moves"], "Nothing is wrong. All cards came in the order of one", "during the game."),
        (["Your salt"], "Nothing is wrong. The order of the cards was fixed", "cannot show."),
        (
            ["Your salt", "Moves"],
            "Nothing is wrong. The order of the cards was fixed before",
            "during the game.",
        ),
    ],
)
def test_it_says_when_the_shuffle_was_fixed_only_to_whom_it_was_shown(
    tmp_path: Path, further: list[str], begins: str, ends: str
) -> None:
    said = verdict(tmp_path, *map(check, [*ALL, *further]))
    assert said.startswith(begins)
    assert said.endswith(ends)


def test_it_says_that_the_server_alone_chose_where_nobody_gave_a_number(tmp_path: Path) -> None:
    alone = "Neither player gave a number, so the server alone chose that order;"
    assert alone in verdict(tmp_path, *map(check, ALL), nobody=True)
    assert alone not in verdict(tmp_path, *map(check, ALL))


def test_a_game_that_goes_on_is_only_right_so_far(tmp_path: Path) -> None:
    later = [check(name, "later") for name in ALL[1:]]
    then = "Whether the cards came as they were shuffled can be checked once the game is over."
    saw = "The moves agree with all that this browser saw during the game."
    assert verdict(tmp_path, check("Chain"), *later) == f"Nothing is wrong so far. {then}"
    said = verdict(tmp_path, check("Chain"), *later, check("Moves"))
    assert said == f"Nothing is wrong so far. {saw} {then}"


def test_a_game_without_cards_claims_no_shuffle(tmp_path: Path) -> None:
    later = [check(name, "later") for name in ALL[2:]]
    said = verdict(tmp_path, check("Chain"), check("Secret"), *later)
    assert said.endswith("No cards were dealt.")


def test_a_fault_is_all_it_says(tmp_path: Path) -> None:
    said = verdict(tmp_path, check("Chain", "failed", seq=5), check("Moves"))
    assert said == "This record is not in order at event 5. Chain as checked."
