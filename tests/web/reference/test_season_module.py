"""`season.js`, which checks the log of a season in the browser, agrees with `verify-season`."""

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from engine.chain import NO_HASH
from engine.shuffle import commitment
from service.seasons.events import REMOVED, CardsSealed, ResultTaken, SeasonEnded
from service.seasons.table import order_after
from tests.service.seasons.forged import (
    CHANGES,
    FORGED,
    MALFORMED,
    NO_LOGS,
    hidden_secret,
    sealed_anew,
)
from tests.service.seasons.ladders import Climbing, climbed
from tests.service.seasons.leagues import CARDS, League, seasons_in_a_row
from tests.support.modules import run_module

CHECK = """
import { readLines } from "./season_form.js";
const found = [];
for (const [log, before] of given) {
  try {
    const said = [];
    const read = async () => readLines(before);
    for await (const text of module.verify(readLines(log), read)) said.push(text);
    found.push(said);
  } catch (error) {
    found.push(`${error.constructor.name} ${error.seq}: ${error.message}`);
  }
}
console.log(JSON.stringify(found));
"""


def verified(folder: Path, *logs: tuple[Sequence[Any], Sequence[Any] | None]) -> list[Any]:
    """For each log, and that of the season before, what was found right, or the fault."""
    given = [[text_of(log), None if before is None else text_of(before)] for log, before in logs]
    beside = ("verify", "ladder", "season_form")
    found: list[Any] = run_module(folder, "season", CHECK, given, *beside)
    return found


def text_of(log: Sequence[Any]) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in log)


def test_sound_logs_are_sound(tmp_path: Path) -> None:
    first = League().enter(20).start().play(Random(4), 0.03).end()
    leagues = [first, *seasons_in_a_row(first, 2, Random(5))]
    waiting = League().enter(5).lines
    hidden = [{**waiting[0], "private": None, "salt": None}, *waiting[1:]]
    logs = [
        (each.lines, None if place == 0 else leagues[place - 1].lines)
        for place, each in enumerate(leagues)
    ]
    found = verified(tmp_path, *logs, (hidden, None))
    assert [len(said) for said in found[:3]] == [5, 5, 5], found
    assert len(found[3]) == 3


def test_it_says_what_the_seal_of_the_cards_shows(tmp_path: Path) -> None:
    older = League(is_sealed=False).enter(4).start()
    running = League().enter(4).start()
    over = copy.deepcopy(running).play(Random(1)).end()
    hidden = [running.lines[0], {**running.lines[1], "private": None}, *running.lines[2:]]
    never_told = [*hidden[:2], *over.lines[2:]]
    found = verified(
        tmp_path, *((log, None) for log in (older.lines, hidden, over.lines, never_told))
    )
    assert [said[1] for said in found[:3]] == [
        "Nothing seals the cards: the season is of an older version.",
        "The secret of the cards stays sealed until the season is over.",
        "The secret of the cards fits its seal.",
    ]
    assert found[3] == "Broken 2: The secret of the cards is still hidden."


def test_a_sound_ladder_is_sound(tmp_path: Path) -> None:
    ladders = [
        climbed(6, 1500, Random(1)),
        climbed(40, 1500, Random(2)),
        climbed(600, 900, Random(3)),
    ]
    found = verified(tmp_path, *((ladder.lines, None) for ladder in ladders))
    for ladder, said in zip(ladders, found, strict=True):
        assert len(said) == 5, said
        assert said[2].startswith(f"Each challenge was allowed: {len(ladder.season.games)}.")
        assert said[4] == f"Players who stand on it: {len(ladder.order)}."


def test_what_the_command_finds_it_finds_too(tmp_path: Path) -> None:
    made: dict[str, Sequence[Any]] = {name: make().lines for name, (make, _) in FORGED.items()}
    played = League(division=4).enter(9).start().play(Random(5), 0.03).end()
    for change in CHANGES:
        lines = copy.deepcopy(played.lines)
        change(lines)
        made[change.__name__] = sealed_anew(lines)
    made |= {name: make() for name, (make, _) in MALFORMED.items()}
    made |= {f"no log: {log}": log for log in NO_LOGS}
    made["a ladder with a hidden secret"] = hidden_secret(Climbing().enter(1, 2).lines)
    made["a league with a hidden secret"] = hidden_secret(played.lines)
    found = verified(tmp_path, *((lines, None) for lines in made.values()))
    sound = [
        name for name, said in zip(made, found, strict=True) if not str(said).startswith("Broken")
    ]
    assert sound == []


def test_the_season_before_is_checked_as_well(tmp_path: Path) -> None:
    before = League(division=4).enter(8).start().play(Random(1)).end()
    order = order_after(before.season)
    after = League("t" * 20, follows="s" * 20).enter(8).start(order).lines
    of_another = League("t" * 20, follows="x" * 20).enter(8).start(order).lines
    running = League(division=4).enter(8).start()
    early = League("t" * 20, follows="s" * 20).enter(8).start(order_after(running.season)).lines
    changed = json.loads(json.dumps(before.lines))
    changed[1]["data"]["salt"] = "another"
    found = verified(
        tmp_path,
        (after, before.lines),
        (of_another, before.lines),
        (early, running.lines),
        (after, changed),
    )
    assert isinstance(found[0], list)
    assert all(str(said).startswith("Broken") for said in found[1:]), found


def test_it_says_how_many_games_were_removed(tmp_path: Path) -> None:
    league = League().enter(4).start()
    for game in [*league.season.games][:3]:
        league.add(ResultTaken(game, NO_HASH, None, REMOVED, {"north": 0, "south": 0}))
    (said,) = verified(tmp_path, (league.lines, None))
    assert said[-1] == "Games that the operator removed, which count for nobody: 3."


def test_it_says_how_often_the_cards_were_sealed_anew(tmp_path: Path) -> None:
    ladder, league = Climbing().enter(1, 2), League().enter(5)
    for place in range(2):
        ladder.add(CardsSealed(commitment(CARDS), CARDS, f"{place:064}"))
        league.add(CardsSealed(commitment(CARDS), CARDS))
    found = verified(tmp_path, (ladder.lines, None), (league.start().lines, None))
    anew = "How often the cards were sealed anew, so that the host could choose among secrets: 2."
    assert [anew in said for said in found] == [True, True]


def test_a_season_that_was_ended_is_sound(tmp_path: Path) -> None:
    ladder = climbed(6, 60, Random(1)).add(SeasonEnded([], by_operator=True))
    empty = Climbing().wait(days=90).add(SeasonEnded([]))
    league = League().enter(5)
    league.add(SeasonEnded([], by_operator=True))
    for said in verified(tmp_path, *((each.lines, None) for each in (ladder, empty, league))):
        assert isinstance(said, list), said
