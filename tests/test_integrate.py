"""What docs/integrate.md tells integrators to do, done: its commands and its bot."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import ROOT, Running, said_by

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


def test_the_commands_work_as_written(server: Running, tmp_path: Path) -> None:
    script = code("bash").replace(ADDRESS, server.url)
    said = said_by(["bash", "-euo", "pipefail", "-c", script], tmp_path)
    turn, types, players, editions, messages = said
    assert turn == "south 6"
    assert types.startswith("['card_played', 'card_drawn', 'turn_ended'")
    assert players == "['Cleo']"
    assert editions.startswith("['iello'")
    assert int(messages) >= 6


def test_the_bot_plays_a_whole_game(server: Running, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(code("python"))
    (said,) = said_by([sys.executable, "-I", bot, server.url], tmp_path)
    assert re.fullmatch(r"(north|south) won by [a-z-]+; I sat north", said)


def test_the_bot_is_about_as_short_as_is_said() -> None:
    lines = [line for line in code("python").splitlines() if line.strip()]
    assert len(lines) < 40
