"""A command whose output cannot be written says so in one line."""

import subprocess
from pathlib import Path

import pytest

from tests.support.processes import COMMAND, ROOT

RECORD = ROOT / "tests" / "golden" / "bga+expert-resigned-0.jsonl"
QUESTION = b'{"mine": ["R7", "R8", "R9"], "theirs": [], "seen": []}\n'


@pytest.mark.parametrize(
    "arguments",
    [["verify", RECORD], ["replay", RECORD], ["judge"], ["--help"]],
    ids=lambda arguments: arguments[0],
)
def test_on_a_full_disk(arguments: list[str | Path]) -> None:
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [COMMAND, *arguments], input=QUESTION, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert ended.stderr.decode() == "Error: output cannot be written: No space left on device.\n"
    assert ended.returncode == 1


def test_whoever_reads_may_stop_reading() -> None:
    replay = f"{COMMAND} replay {RECORD} | head -1"
    ended = subprocess.run(["sh", "-c", replay], capture_output=True, check=False)
    assert ended.stderr == b""
    assert ended.stdout.decode().split() == ["1", "North", "created", "the", "game."]
