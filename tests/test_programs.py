"""What the documents tell programs to do, done: their commands and their programs."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from scottenbury_client import Client

from tests.support.processes import ROOT, Running, said_by
from tests.support.waiting import until

ADDRESS = "http://127.0.0.1:8080"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("data"))
    try:
        yield running.ready()
    finally:
        running.kill_all()


def code(language: str, *documents: str) -> str:
    """All that the documents show in this language, one after the other."""
    texts = ((ROOT / "docs" / f"{name}.md").read_text() for name in documents)
    return "\n".join(block for text in texts for block in blocks(language, text))


def blocks(language: str, text: str) -> list[str]:
    """What a text shows in this language."""
    return re.findall(rf"^ *```{language}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)


def test_the_commands_work_as_written(server: Running, tmp_path: Path) -> None:
    script = code("bash", "quick-start", "write-a-bot", "events").replace(ADDRESS, server.url)
    said = said_by(["bash", "-euo", "pipefail", "-c", script], tmp_path)
    turn, types, players, editions, messages, public, news = said
    assert turn == "south 6"
    assert types.startswith("['card_played', 'card_drawn', 'turn_ended'")
    assert int(players) >= 1
    assert editions.startswith("['iello'")
    assert int(messages) >= 6
    assert public == "0"
    assert json.loads(news).keys() == {"events", "next", "reset"}


def test_the_first_turn_is_played_in_python(server: Running, tmp_path: Path) -> None:
    program = tmp_path / "quick_start.py"
    program.write_text(code("python", "quick-start").replace(ADDRESS, server.url))
    hand, played, bot = said_by([sys.executable, "-I", program], tmp_path)
    assert re.fullmatch(r"I hold( [ROYGBP][1-9]){6}", hand)
    assert re.fullmatch(r"I played [ROYGBP][1-9] at Stone 1", played)
    assert bot.startswith("The bot: card_played card_drawn turn_ended")


def test_the_bots_play_whole_games(server: Running, tmp_path: Path) -> None:
    programs = blocks("python", (ROOT / "docs" / "write-a-bot.md").read_text())[:2]
    lengths = [sum(bool(line.strip()) for line in program.splitlines()) for program in programs]
    assert lengths == [39, 10]

    def played(program: str) -> list[str]:
        return said_by([sys.executable, "-I", "-c", program, server.url], tmp_path)

    with ThreadPoolExecutor() as pool:  # they mostly wait
        for (said,) in pool.map(played, programs):
            assert re.fullmatch(r"(north|south) won by [a-z-]+; I sat north", said)


def test_the_games_that_run_out_first_are_shown_first(server: Running, tmp_path: Path) -> None:
    (program,) = blocks("python", (ROOT / "docs" / "clock.md").read_text())
    said = said_by([sys.executable, "-I", "-c", program, server.url], tmp_path)
    assert said == ["about 2 days left", "about 7 days left", "no clock"]


def test_the_open_bot_begins_the_games_that_it_accepts(server: Running, tmp_path: Path) -> None:
    program = blocks("python", (ROOT / "docs" / "write-a-bot.md").read_text())[2]
    days = {"clock": {"days_per_move": 3}}
    command = [sys.executable, "-I", "-c", program, server.url]
    with (
        Client(server.url) as person,
        Client(server.url) as another,
        subprocess.Popen(command, cwd=tmp_path) as bot,
    ):
        try:
            person.register("Challenger")
            another.register("Second Challenger")
            until(lambda: list(person.find_players(name="Open Stone")))
            (found,) = person.find_players(name="Open Stone")
            invited = person.create_game(opponent={"player": found["id"]}, **days)
            until(lambda: person.get_game(invited["id"])["status"] == "active")
            asked = {"player": found["id"], "first_player": "opponent"}
            refused = another.challenge_player({**asked, "rounds": 3, **days})["id"]
            accepted = person.challenge_player({**asked, **days})["id"]
            until(lambda: person.get_challenge(accepted)["status"] == "accepted")
            until(lambda: person.get_game(accepted)["turn"] == "north")  # it has moved
            assert another.get_challenge(refused)["status"] == "open"
        finally:
            bot.kill()


def test_what_the_clients_page_shows_works(server: Running, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "client.md").read_text()
    program = tmp_path / "program.py"
    program.write_text("\n".join(blocks("python", page)).replace(ADDRESS, server.url))
    said = said_by([sys.executable, "-I", program], tmp_path)
    assert said[-1].startswith("The chain holds.")
