"""What docs/integrate.md tells integrators to do, done: its commands and its bot."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ops.running import ROOT, Running, clean_environment

DOCUMENT = (ROOT / "docs" / "integrate.md").read_text()
ADDRESS = "http://127.0.0.1:8080"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("data"))
    try:
        yield running.ready()
    finally:
        running.kill_all()


def code(language: str) -> str:
    """All that the document shows in this language, one after the other."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return "\n".join(blocks)


def run(command: list[object], folder: Path) -> list[str]:
    """The lines that the command says."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout.splitlines()


def test_the_commands_work_as_written(server: Running, tmp_path: Path):
    script = code("bash").replace(ADDRESS, server.url)
    said = run(["bash", "-euo", "pipefail", "-c", script], tmp_path)
    turn, types, messages = said
    assert turn == "south 6"
    assert types.startswith("['card_played', 'card_drawn', 'turn_ended'")
    assert int(messages) >= 6


def test_the_bot_plays_a_whole_game(server: Running, tmp_path: Path):
    bot = tmp_path / "bot.py"
    bot.write_text(code("python"))
    (said,) = run([sys.executable, "-I", bot, server.url], tmp_path)
    assert re.fullmatch(r"(north|south) won by [a-z-]+; I sat north", said)


def test_the_bot_is_about_as_short_as_is_said():
    lines = [line for line in code("python").splitlines() if line.strip()]
    assert len(lines) < 40
