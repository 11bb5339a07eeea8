"""The README's quick tour, run as a newcomer would run it: every command, in order."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import ROOT, Running, said_by

README = (ROOT / "README.md").read_text()
ADDRESS = "http://127.0.0.1:8080"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    """A server started by the README's own command, on a port and folder of its own."""
    (command,) = re.findall(r"^    (make run)\b", README, re.MULTILINE)
    running = Running(tmp_path / "data", command.split())
    try:
        yield running.ready()
    finally:
        running.kill_all()


def commands(readme: str) -> str:
    """All commands of the tour as one script."""
    return "\n".join(re.findall(r"^```bash\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL))


def test_the_quick_tour_works_as_written_and_its_server_stops(
    server: Running, tmp_path: Path
) -> None:
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    tour = commands(README).replace(ADDRESS, server.url)
    lines = said_by(["bash", "-euo", "pipefail", "-c", tour], tmp_path)
    said = iter(lines)
    # In this order: what the tour promises to show.
    for promise in (
        r'"name":"Ada"',
        r'"name":"Bo"',
        rf"{server.url}/games/\w+\?invite=",
        r"north \{.*'cards': None",
        r"'number': 1, .*'north': \['\w\d'\]",
        r'"code": "claim-not-proven"',
        r'"counterexample"',
        r"(north|south) owns Stone 1",
        r"^[0-9a-f]{64}$",
        r"north won by resignation",
        r"^Sound: 49 events: chain, commitment, shuffle and every decision\.$",
        r"^Played: events 1 to 46, by the head given\. No head was given for the last 3\.$",
        r"^Head [0-9a-f]{64}$",
        r"North won\.$",
    ):
        assert any(re.search(promise, line) for line in said), (promise, lines)
    server.interrupt()
    assert server.processes() == {}


def test_every_file_the_readme_leads_to_is_there() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
