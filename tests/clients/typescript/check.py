"""A TypeScript client made of the document, and the quick start in TypeScript, compile and play.

It takes npm and its registry, so `make test-clients` runs it and `make test` does not.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import ROOT, Running

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("data"))
    try:
        yield running.ready()
    finally:
        running.kill_all()


@pytest.fixture(scope="module")
def compiled(server: Running) -> Path:
    """The folder of the compiled programs: `play.ts`, and what the quick start shows."""
    build = HERE / "build"
    build.mkdir(exist_ok=True)
    shown = (ROOT / "docs" / "quick-start.md").read_text().partition("```typescript\n")[2]
    program = shown.partition("```")[0].replace("http://127.0.0.1:8080", server.url)
    (build / "quick-start.ts").write_text(program)
    for command in (
        ["npm", "ci", "--no-audit", "--no-fund"],
        ["npm", "run", "generate"],
        ["npm", "run", "compile"],
    ):
        subprocess.run(command, cwd=HERE, check=True)
    return build / "js"


def said_by(*command: object) -> str:
    done = subprocess.run(
        [str(part) for part in command], check=True, capture_output=True, text=True
    )
    return done.stdout


def test_the_client_plays_a_whole_game(server: Running, compiled: Path) -> None:
    said = said_by("node", compiled / "play.js", server.url)
    assert re.fullmatch(r"finished: (north|south) by (three-adjacent|five-stones)\n", said)


def test_the_quick_start_plays_a_turn(compiled: Path) -> None:
    hand, played, bot = said_by("node", compiled / "build" / "quick-start.js").splitlines()
    assert re.fullmatch(r"I hold( [ROYGBP][1-9]){6}", hand)
    assert re.fullmatch(r"I played [ROYGBP][1-9] at Stone 1", played)
    assert bot.startswith("The bot: card_played card_drawn turn_ended")
