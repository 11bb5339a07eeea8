"""`verdict.js` says in a sentence what the checks show, and no more."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.modules import run_module

ALL = ["Chain", "Secret", "Shuffle", "First player", "Cards"]


def check(name: str, state: str = "passed", **more: Any) -> dict[str, Any]:
    return {"name": name, "state": state, "seq": None, "text": f"{name} as checked.", **more}


def verdict(folder: Path, *checks: dict[str, Any]) -> str:
    code = "console.log(JSON.stringify(module.verdict(given)))"
    return str(run_module(folder, "verdict", code, checks))


@pytest.mark.parametrize(
    ("further", "begins", "ends"),
    [
        ([], "Every card follows from one fixed shuffle", "a record alone cannot show."),
        (["Moves"], "Every card follows from one fixed shuffle", "while the game went on."),
        (["Your salt"], "This shuffle was fixed before the first card was dealt", "cannot show."),
        (
            ["Your salt", "Moves"],
            "This shuffle was fixed before the first",
            "while the game went on.",
        ),
    ],
)
def test_it_says_when_the_shuffle_was_fixed_only_to_whom_it_was_shown(
    tmp_path: Path, further: list[str], begins: str, ends: str
) -> None:
    said = verdict(tmp_path, *map(check, [*ALL, *further]))
    assert said.startswith(begins)
    assert said.endswith(ends)


def test_a_game_that_goes_on_is_only_right_so_far(tmp_path: Path) -> None:
    later = [check(name, "later") for name in ALL[1:]]
    assert verdict(tmp_path, check("Chain"), *later).startswith("Nothing is wrong so far")


def test_a_game_without_cards_claims_no_shuffle(tmp_path: Path) -> None:
    later = [check(name, "later") for name in ALL[2:]]
    said = verdict(tmp_path, check("Chain"), check("Secret"), *later)
    assert said.endswith("No cards were dealt.")


def test_a_fault_is_all_it_says(tmp_path: Path) -> None:
    said = verdict(tmp_path, check("Chain", "failed", seq=5), check("Moves"))
    assert said == "This record is not in order at event 5. Chain as checked."
