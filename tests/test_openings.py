"""The example that counts openings, on games of the bots."""

import sys
from pathlib import Path

from service.cli.files import parsed, records_in
from service.cli.records import fault_in
from tests.support.processes import ROOT, said_by

PROGRAM = (sys.executable, ROOT / "docs" / "examples" / "openings.py")


def test_it_counts_the_games_of_bots_and_the_same_ones_from_a_file(tmp_path: Path) -> None:
    asked = ("--games", "30", "--bot", "random", "--keep", "games.jsonl")
    played = said_by([*PROGRAM, *asked], tmp_path)
    assert "30 games, won" in played[-1]
    assert sum(int(line[24:].split()[0]) for line in played[:-1]) == 30
    assert said_by([*PROGRAM, "games.jsonl"], tmp_path) == played
    records = list(map(parsed, records_in(str(tmp_path / "games.jsonl"))))
    assert [fault_in(record) for record in records] == [None] * 30
