"""`verdict.js` says in a sentence what the checks show, and no more."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.modules import run_module

GOLDEN = Path(__file__).parents[2] / "golden"
ALL = ["Chain", "Secret", "Shuffle", "First player", "Cards"]


def check(name: str, state: str = "passed", **more: Any) -> dict[str, Any]:
    return {"name": name, "state": state, "seq": None, "text": f"{name} as checked.", **more}


def verdict(
    folder: Path,
    *checks: dict[str, Any],
    nobody: bool = False,
    since: dict[str, int] | None = None,
) -> str:
    code = "console.log(JSON.stringify(module.verdict(...given).filter(Boolean).join(' ')))"
    return str(run_module(folder, "verdict", code, [checks, nobody, since], "verify"))


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
    alone = "Neither player gave a number, so the server alone chose that order."
    assert alone in verdict(tmp_path, *map(check, ALL), nobody=True)
    assert alone not in verdict(tmp_path, *map(check, ALL))


UNSEEN = "Only a browser that saw the seal at that time, or a mail from then, shows whether"


@pytest.mark.parametrize(
    ("since", "says", "leaves_open"),
    [
        (None, "The seal fits the cards.", True),
        ({"turn": 0, "round": 0}, "The order was fixed before the first turn", False),
        ({"turn": 0, "round": 1}, "The order was fixed before the first turn", False),
        ({"turn": 18, "round": 1}, "The order was fixed by turn 18, when this browser first", True),
        ({"turn": 0, "round": 2}, "The order was fixed by turn 0 of round 2, when this", True),
    ],
)
def test_when_the_seal_was_made_is_known_from_where_this_browser_first_saw_it(
    tmp_path: Path, since: dict[str, int] | None, says: str, leaves_open: bool
) -> None:
    said = verdict(tmp_path, *map(check, ALL), nobody=True, since=since)
    assert says in said
    assert (UNSEEN in said) == leaves_open
    assert UNSEEN not in verdict(tmp_path, *map(check, [*ALL, "Your salt"]), since=since)


def test_a_hash_of_a_mail_is_looked_up_in_the_log(tmp_path: Path) -> None:
    lines = (GOLDEN / "bga+tactics+expert-abandoned-0.jsonl").read_text().splitlines()
    events = [json.loads(line) for line in lines]
    first_turn = next(event for event in events if event["type"] == "card_played")
    typed = [
        "",
        "0123",
        "00" * 32,
        events[1]["hash"],
        f" | {first_turn['hash'].upper()}\n",
    ]
    code = (
        "const [events, typed] = given;"
        "console.log(JSON.stringify(typed.map((one) => module.compared(events, one))))"
    )
    empty, short, foreign, early, later = run_module(
        tmp_path, "verdict", code, [events, typed], "verify"
    )
    assert empty == ""
    assert short.startswith("That is not a whole hash")
    assert foreign.startswith("The log never had this hash.")
    assert early.startswith("The log had this hash before the first turn.")
    assert later.startswith("The log had this hash after turn 1.")


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
