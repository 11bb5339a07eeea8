"""`scottenbury play`: a game at a terminal and through pipes, read line by line."""

import json
import os
import pty
import re
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from scottenbury_client import Client

from tests.cli.runner import run
from tests.support.processes import COMMAND, Running, clean_environment

TACTICS = {"JOK", "SPY", "SHB", "BMB", "MUD", "REC", "STR", "BAN", "TRA"}
SPOKEN = "Joker|Spy|Shield-Bearer|Blind-Man's Bluff|Mud Fight|Recruiter|Strategist|Banshee|Traitor"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("data"), SCOTTENBURY_RATE_LIMITS="off")
    try:
        yield running.ready()
    finally:
        running.kill_all()


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return clean_environment() | {"XDG_CONFIG_HOME": str(tmp_path), "TERM": "dumb"}


class Terminal:
    """A person at a terminal: says a line, and hears all that is printed up to the next prompt."""

    def __init__(self, url: str, env: dict[str, str]) -> None:
        self._fd, inner = pty.openpty()
        self._process = subprocess.Popen(
            [str(COMMAND), "play", url], stdin=inner, stdout=inner, stderr=inner, env=env
        )
        os.close(inner)
        self.heard = ""

    def until(self, prompt: str) -> list[str]:
        text = ""
        while not text.endswith(prompt):
            text += os.read(self._fd, 65536).decode().replace("\r\n", "\n")
        self.heard += text
        return text.split("\n")[1:-1]

    def say(self, line: str) -> list[str]:
        os.write(self._fd, f"{line}\n".encode())
        return self.until("> ")

    def leave(self) -> int:
        os.write(self._fd, b"quit\n")
        return self._process.wait(20)

    def close(self) -> None:
        os.close(self._fd)
        self._process.kill()
        self._process.wait()


@pytest.fixture
def terminal(server: Running, home: dict[str, str]) -> Iterator[Terminal]:
    opened = Terminal(server.url, home)
    yield opened
    opened.close()


def wanted(legal: list[str], done: set[str]) -> str:
    """An action that brings all Tactic cards into the game: they first, then all but claims."""

    def rank(text: str) -> tuple[int, str]:
        card = text[:3]
        if card in TACTICS:
            return (0 if card not in done else 1), text
        last = ["!", "e", "p"]  # a claim, the end, a pass
        return (2 if text == "+T" else 4 + last.index(text[0]) if text[0] in last else 3), text

    return min(legal, key=rank)


def test_a_game_with_all_tactic_cards_is_played_at_a_terminal(
    server: Running, terminal: Terminal, tmp_path: Path
) -> None:
    terminal.until("new player: ")
    terminal.say("Iris")
    (tokens,) = tmp_path.rglob("tokens.json")
    assert stat.S_IMODE(tokens.stat().st_mode) == 0o600
    done = set[str]()
    with (
        Client(server.url, json.loads(tokens.read_text())[server.url]) as iris,
        Client(server.url) as bo,
    ):
        bo.register("Bo")
        for _ in range(8):
            game = iris.create_game(tactics=True, edition="community", seat="north")
            bo.join_game(game["id"], invite=game["invite"])
            terminal.say(f"show {game['id']}")
            played = set[str]()
            while (view := iris.get_game(game["id"]))["status"] == "active":
                if view["turn"] == view["seat"]:
                    action = wanted(view["legal"], played)
                    assert not any("not a command" in line for line in terminal.say(action))
                else:
                    action = wanted(bo.get_game(game["id"])["legal"], played)
                    if bo.play_turn(game["id"], actions=[action])["turn"] != "south":
                        terminal.say("watch")
                played |= {action[:3]} & TACTICS
            done = max(done, played, key=len)
            if played == TACTICS:
                break
    assert done == TACTICS
    told = "\n".join(terminal.say("replay"))
    assert set(re.findall(SPOKEN, " ".join(told.split()))) == set(SPOKEN.split("|"))
    assert re.search(r"(Iris|Bo) won|A draw", told)
    terminal.say("show")
    assert terminal.leave() == 0
    assert "\x1b" not in terminal.heard
    assert max(map(len, terminal.heard.split("\n"))) <= 80


def piped(server: Running, home: dict[str, str], *lines: str, options: str = "") -> list[str]:
    """The lines that come out of a pipe, and the exit code."""
    done = subprocess.run(
        [str(COMMAND), "play", server.url, *options.split()],
        input="\n".join([*lines, ""]),
        env=home,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return [*done.stdout.splitlines(), str(done.returncode)]


def test_lines_of_a_pipe_are_obeyed_in_order(server: Running, home: dict[str, str]) -> None:
    said = piped(server, home, "Pia", "games", "say hello", "play the card")
    assert said[3:] == [
        "You have no games. Say new steward for one against a bot.",
        "Choose a game first: say games, then show and its number.",
        "That is not a command here. Say help for all of them.",
        "0",
    ]
    assert piped(server, home, "show 1")[-1] == "1"


def test_answers_are_json_where_that_is_wanted(server: Running, home: dict[str, str]) -> None:
    piped(server, home, "Jo")
    *answers, code = piped(server, home, "new random", "games", "show", options="--json")
    made, games, shown = map(json.loads, answers)
    assert [game["id"] for game in games] == [made["id"]] == [shown["id"]]
    assert code == "0"
    *events, code = piped(server, home, "replay", options=f"--json --game {made['id']}")
    assert json.loads(events[0])["type"] == "game_created"


def test_a_resignation_is_asked_about(server: Running, home: dict[str, str]) -> None:
    said = piped(server, home, "Ria", "new random", "resign", "no", "resign", "yes", "yes")
    assert said.count("Do you give up this game? Say yes, and it is over.") == 2
    assert "Random (bot) won by resignation." in said
    assert said[-2:] == ["That is not a command here. Say help for all of them.", "0"]


def test_a_plan_is_read_like_a_turn(server: Running, home: dict[str, str]) -> None:
    lines = ("plan R7 at 3, claim 3", "plan whatever", "plan", "plan off")
    said = piped(server, home, "Pat", "new random", *lines)
    assert said[-5:] == [
        "Planned for your turn: R7 on Stone 3, a claim to Stone 3.",
        "That is not a command here. Say help for all of them.",
        "Planned for your turn: R7 on Stone 3, a claim to Stone 3.",
        "Nothing is planned.",
        "0",
    ]


def test_a_code_signs_in_and_a_name_registers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = list[tuple[str, object]]()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append((request.url.path, json.loads(request.content or "null")))
        return httpx.Response(200, json={"id": "p", "name": "Ada", "token": "scot_x"})

    def client(url: str, token: str | None) -> Client:
        return Client(url, token, http=httpx.Client(transport=httpx.MockTransport(answer)))

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("scottenbury_client.Client", client)
    assert "Signed in as Ada." in run("play", "http://a", stdin="q7xk-m2vd-a5tz\n").output
    assert "Signed in as Ada." in run("play", "http://b", stdin="Ada\n").output
    assert asked[0] == ("/v1/sign-ins", {"code": "q7xk-m2vd-a5tz"})
    assert asked[2] == ("/v1/players", {"name": "Ada"})
    assert run("play", "http://a", "--sign-out").exit_code == 0
    (tokens,) = tmp_path.rglob("tokens.json")
    assert json.loads(tokens.read_text()) == {"http://b": "scot_x"}
