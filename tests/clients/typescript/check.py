"""A TypeScript client made of the document compiles and plays a whole game.

It takes npm and its registry, so `make test-clients` runs it and `make test` does not.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import Running

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("data"))
    try:
        yield running.ready()
    finally:
        running.kill_all()


def test_the_client_compiles_and_plays_a_whole_game(server: Running) -> None:
    for command in (
        ["npm", "ci", "--no-audit", "--no-fund"],
        ["npm", "run", "generate"],
        ["npm", "run", "compile"],
    ):
        subprocess.run(command, cwd=HERE, check=True)
    played = ["node", "build/js/play.js", server.url]
    said = subprocess.run(played, cwd=HERE, check=True, capture_output=True, text=True).stdout
    assert re.fullmatch(r"finished: (north|south) by (three-adjacent|five-stones)\n", said)
