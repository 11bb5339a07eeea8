"""`scottenbury play`: a game at a terminal and through pipes, read line by line."""

import json
import os
import pty
import re
import stat
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from scottenbury_client import Client

from service.cli.terminal.session import Session
from tests.cli.runner import run
from tests.support.ports import free_port
from tests.support.processes import COMMAND, ROOT, Running
from tests.support.waiting import PATIENCE

TACTICS = {"JOK", "SPY", "SHB", "BMB", "MUD", "REC", "STR", "BAN", "TRA"}
SPOKEN = "Joker|Spy|Shield-Bearer|Blind-Man’s Bluff|Mud Fight|Recruiter|Strategist|Banshee|Traitor"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("data"), SCOTTENBURY_RATE_LIMITS="off")
    try:
        yield running.ready()
    finally:
        running.kill_all()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("TERM", "dumb")


class Terminal:
    """A person at a terminal: says a line, and hears all that is printed up to the next prompt."""

    def __init__(self, url: str) -> None:
        self._fd, inner = pty.openpty()
        self._process = subprocess.Popen(
            [str(COMMAND), "play", url], stdin=inner, stdout=inner, stderr=inner
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
        return self._process.wait(PATIENCE)

    def close(self) -> None:
        os.close(self._fd)
        self._process.kill()
        self._process.wait()


@pytest.fixture
def terminal(server: Running, home: None) -> Iterator[Terminal]:
    opened = Terminal(server.url)
    yield opened
    opened.close()


@contextmanager
def capturing() -> Iterator[StringIO]:
    """What is printed meanwhile."""
    with redirect_stdout(StringIO()) as heard:
        yield heard


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
                    said = " ".join(terminal.say(action))
                    assert "not a command" not in said
                    assert "cannot be played" not in said
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
    assert re.search(r"(You|Bo) won|A draw", told)
    terminal.say("show")
    assert terminal.leave() == 0
    assert "\x1b" not in terminal.heard
    assert "You may play:\nYou may draw" not in terminal.heard
    assert max(map(len, terminal.heard.split("\n"))) <= 72


def test_tab_completes_the_next_word_of_a_legal_action(server: Running, terminal: Terminal) -> None:
    terminal.until("new player: ")
    terminal.say("Tab")
    if "Your turn." not in "".join(terminal.say("new random")):
        terminal.say("watch")
    (hand,) = re.findall(r"Your hand: ([^.]+)", " ".join(terminal.say("show")))
    colour, strength = re.findall(r"([ROYGBP])\w+ ([1-9])", hand)[0]
    before = len(terminal.heard)
    terminal.say(f"pla\ty\t\t\t{colour.lower()}{strength}\t\t3")
    # The prompt comes again below each list of words.
    while "You played" not in terminal.heard[before:]:
        terminal.until("> ")
    assert re.search(rf"You played {colour}\w+ {strength} on Stone 3", terminal.heard[before:])
    assert " at 4" not in terminal.heard[before:]


def piped(server: Running, *lines: str, options: str = "") -> list[str]:
    """The lines that come out of a pipe, and the exit code."""
    done = run("play", server.url, *options.split(), stdin="\n".join([*lines, ""]))
    assert done.stderr == ""
    return [*done.stdout.splitlines(), str(done.exit_code)]


def test_lines_of_a_pipe_are_obeyed_in_order(server: Running) -> None:
    lines = "games\nsay hello\nplay the card\n"
    command = [str(COMMAND), "play", "--register", "Pia", server.url]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert (done.stderr, done.returncode) == ("", 1)
    assert done.stdout.splitlines() == [
        "Signed in as Pia. Say help for the commands.",
        "You have no games. Say new steward for one against a bot.",
        "Choose a game first: say games, then show and its number.",
        "“play the card” is not a command here. Say help for all of them.",
    ]
    assert piped(server, "show 1")[-1] == "1"


def test_a_pipe_makes_no_player(server: Running) -> None:
    before = httpx.get(f"{server.url}/v1/players", params={"name": "show"}).json()
    done = run("play", server.url, stdin="show\n")
    assert done.exit_code == 1
    assert "--register NAME makes a new player" in done.stderr
    assert httpx.get(f"{server.url}/v1/players", params={"name": "show"}).json() == before
    refused, code = piped(server, "show", options="--json")
    assert (json.loads(refused)["code"], code) == ("not-signed-in", "1")


def test_a_name_that_is_taken_is_not_changed(server: Running) -> None:
    with Client(server.url) as other:
        other.register("Taken")
    refused, code = piped(server, options="--json --register Taken")
    assert (json.loads(refused)["code"], code) == ("name-taken", "1")
    piped(server, options="--register Free")
    refused, code = piped(server, options="--json --register Other")
    assert (json.loads(refused)["code"], code) == ("signed-in", "1")


def test_a_person_is_asked_again_for_a_name_that_cannot_be_had(
    server: Running, terminal: Terminal
) -> None:
    with Client(server.url) as other:
        other.register("Ona")
    terminal.until("new player: ")
    os.write(terminal._fd, b"Ona\n")
    assert "Ona" in " ".join(terminal.until("new player: "))
    assert terminal.say("Ona of Elsewhere")[-1].startswith("Signed in as Ona of Elsewhere.")


def test_answers_are_json_where_that_is_wanted(server: Running) -> None:
    options = "--json --register Jo"
    *answers, code = piped(server, "new random", "games", "show", "help", options=options)
    made, games, shown, words = map(json.loads, answers)
    assert [game["id"] for game in games] == [made["id"]] == [shown["id"]]
    assert "resign" in " ".join(words)
    assert code == "0"
    *events, code = piped(server, "replay", options=f"--json --game {made['id']}")
    assert json.loads(events[0])["type"] == "game_created"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("whatever", "not-a-command"),
        ("play X7 at 3", "not-a-command"),
        ("play R7 at 12", "not-a-command"),
        ("yes", "nothing-asked"),
        ("plan claim all", "not-a-command"),
        ("show 9", "not-here"),
        ("join nowhere", "game-not-found"),
    ],
)
@pytest.mark.parametrize("behind", [(), ("",), ("", "quit")])
def test_a_line_that_does_nothing_is_refused_in_json_and_by_the_exit_code(
    server: Running, line: str, code: str, behind: tuple[str, ...]
) -> None:
    name = "".join(filter(str.isalnum, line))
    made = f"--json --register Ned{name}{len(behind)}"
    first, *answers, ended = piped(server, "new random", line, *behind, options=made)
    (refused,) = answers
    assert json.loads(first)["status"] == "active"
    assert (json.loads(refused)["code"], ended) == (code, "1")


def test_without_a_server_json_is_printed_too() -> None:
    server = f"http://127.0.0.1:{free_port()}"
    done = run("play", "--json", "--register", "Nil", server, stdin="games\n")
    assert (json.loads(done.stdout)["code"], done.exit_code) == ("unreachable", 1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("play R7 at 12", "“play R7 at 12” cannot be played. Stones are numbered 1 to 9."),
        ("red 7 on stone 0", "“red 7 on stone 0” cannot be played. Stones are numbered 1 to 9."),
        ("play R7 at 3, claim 11", "“claim 11” cannot be played. Stones are numbered 1 to 9."),
        ("plan X7 at 3", "“X7 at 3” cannot be played. The colours are R, O, Y, G, B, P."),
        (
            "green 12 at 3",
            "“green 12 at 3” cannot be played. Clan cards have the strengths 1 to 9.",
        ),
        (
            "play red 99 at 3",
            "“play red 99 at 3” cannot be played. Clan cards have the strengths 1 to 9.",
        ),
        ("play R7", "“play R7” cannot be played. Say on which Stone: R7@3."),
        ("play", "Say which card, and on which Stone: play R7 at 3."),
        ("claim", "Say which Stone: claim 3. Or claim all."),
        ("draw", "Say from which deck: draw clan or draw tactic."),
        ("dance", "“dance” is not a command here. Say help for all of them."),
    ],
)
def test_what_is_wrong_with_a_card_or_a_stone_is_said(line: str, said: str) -> None:
    session = Session(cast(Client, None))
    session._game = cast(Any, {"id": "a"})
    with capturing() as heard:
        assert not session.obey(line)
    assert " ".join(heard.getvalue().split()) == said


def test_a_question_names_its_game_and_a_yes_answers_no_other(server: Running) -> None:
    lines = ("new random", "new random", "games", "resign", "show 1", "yes", "games")
    *told, code = piped(server, *lines, options="--register Rex --json")
    second, question, last = json.loads(told[1]), json.loads(told[3]), json.loads(told[-1])
    assert question["game"] == second["id"]
    assert second["id"] in question["question"]
    assert "resign it?" in question["question"]
    assert (json.loads(told[-2])["code"], code) == ("nothing-asked", "0")
    assert len(last) == 2


def test_a_resignation_is_asked_about(server: Running) -> None:
    # The bot may begin: a question whose game has moved on is not carried out.
    lines = ("new random", "watch", "resign", "no", "resign", "yes", "yes")
    said = piped(server, *lines, options="--register Ria")
    assert "\n".join(said).count("resign it? Say\nyes, and it is lost.") == 2
    assert said.count("Random (bot) won.") == 1
    assert said[-2:] == ["Nothing is asked now.", "1"]


@pytest.mark.parametrize(
    ("line", "kind"), [("new random", "with"), ("new game with the bot", "without")]
)
def test_a_new_game_says_whether_it_has_tactic_cards(server: Running, line: str, kind: str) -> None:
    said = piped(server, line, options=f"--register Kit{kind}")
    assert f"This is a new game {kind} Tactic cards." in said


def test_a_code_signs_in_and_a_name_registers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = list[tuple[str, object]]()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append((request.url.path, json.loads(request.content or "null")))
        return httpx.Response(200, json={"id": "p", "name": "Ada", "token": "scot_x"})

    def client(url: str, token: str | None = None, patience: float = 0) -> Client:
        return Client(
            url, token, patience=patience, http=httpx.Client(transport=httpx.MockTransport(answer))
        )

    monkeypatch.setattr("scottenbury_client.Client", client)
    assert "Signed in as Ada." in run("play", "http://a", stdin="q7xk-m2vd-a5tz\n").output
    assert "Signed in as Ada." in run("play", "http://b/", "--register", "Ada").output
    assert ("/v1/sign-ins", {"code": "q7xk-m2vd-a5tz"}) in asked
    assert ("/v1/players", {"name": "Ada"}) in asked
    assert run("play", "http://a", "--sign-out").exit_code == 0
    (tokens,) = tmp_path.rglob("tokens.json")
    assert json.loads(tokens.read_text()) == {"http://b": "scot_x"}


@pytest.fixture
def bo(server: Running, home: None, tmp_path: Path) -> Iterator[Client]:
    """Bo with a program, while Una sits at a pipe. Both have names of this test's own."""
    with Client(server.url) as bo:
        bo.register(f"Bo {tmp_path.name[-6:]}")
        made = run("play", server.url, "--register", f"Una {tmp_path.name[-6:]}")
        assert made.exit_code == 0
        yield bo


def begun(bo: Client, server: Running) -> str:
    """The id of a game with a clock that Bo has made and Una joined by its link."""
    made = bo.create_game(clock={"days_per_move": 3}, seat="north", first_player="creator")
    assert re.search(r"^Bo .* against Una ", piped(server, f"join {made['invite_url']}")[0])
    return str(made["id"])


def test_a_plan_is_read_like_a_turn(server: Running, bo: Client) -> None:
    lines = ("plan R7 at 3, claim 3", "plan whatever", "plan", "plan off")
    assert piped(server, *lines, options=f"--game {begun(bo, server)}") == [
        "Planned for your turn: Red 7 on Stone 3, a claim to Stone 3.",
        "“whatever” is not a command here. Say help for all of them.",
        "Planned for your turn: Red 7 on Stone 3, a claim to Stone 3.",
        "Nothing is planned.",
        "0",
    ]


def test_a_link_leads_to_a_seat_and_is_given_for_a_game(server: Running, bo: Client) -> None:
    begun(bo, server)
    said = piped(server, "new game, 2 days, tactics", "show", "call it off")
    assert said[0] == "Give this link to whoever is to play:"
    assert said[-3:-1] == ["Done.", "The game was cancelled."]
    game = bo.get_game(said[1].partition("?")[0].rpartition("/")[2])
    assert (game["status"], game["clock"]) == ("aborted", {"days_per_move": 2})


def test_challenges_go_both_ways(server: Running, bo: Client) -> None:
    name, una = bo.get_me()["name"], json.loads(piped(server, "games", options="--json")[0])
    assert una == []
    said = piped(server, f"new game with {name}, 2 days", "games", "decline 1", "games")
    assert said == [
        f"You challenged {name}. It begins when they accept.",
        *(said[1:3]),
        "That challenge is over.",
        "You have no games. Say new steward for one against a bot.",
        "0",
    ]
    assert " ".join(said[1:3]).startswith(f"1. You challenged {name}: iello, without Tactic cards")
    (una,) = bo.find_players(name=f"Una {name[-6:]}")
    wanted = {"player": una["id"], "rounds": 2}
    made = bo.challenge_player(wanted)
    said = piped(server, "games", "decline 2", "accept 1")
    assert f"1. {name} challenges you: iello, without Tactic cards, 2 rounds," in said[0]
    assert "No game has this number. Say games for the list." in said
    assert bo.get_game(made["id"])["status"] == "active"


def test_the_clock_and_the_end_are_agreed_on(server: Running, bo: Client) -> None:
    game = begun(bo, server)
    options = f"--game {game}"
    assert piped(server, "agree", options=options) == [
        "Nothing of that kind is offered to you in this game.",
        "1",
    ]
    bo.make_offer(game, {"kind": "pause"})
    shown = " ".join(piped(server, "show", options=options))
    assert "offers to pause the clock without an end. Say agree or decline." in shown
    said = piped(server, "agree", "no", options=options)
    assert "offers to pause the clock without an end. Say yes to agree." in " ".join(said)
    assert [one["by"] for one in bo.list_offers(game)["offers"]] == ["north"]
    said = piped(server, "agree", "yes", options=options)
    assert "Done." in said
    said = piped(server, "resume", "give 2 days", "offer a pause", options=options)
    assert any("gave" in line for line in said)
    assert [one["by"] for one in bo.list_offers(game)["offers"]] == ["south"]
    shown = " ".join(piped(server, "show", "decline", options=options))
    assert "You offer to pause the clock without an end. Say decline to take the offer" in shown
    assert bo.list_offers(game)["offers"] == []
    said = piped(server, "offer an end", "show", options=options)
    assert "the game does not count for ratings. Say yes" in " ".join(said)
    assert bo.list_offers(game)["offers"] == []
    assert "Done." in piped(server, "offer an end", "yes", options=options)
    (end,) = bo.list_offers(game)["offers"]
    bo.make_offer(game, {"kind": "abandonment", "number": end["number"]})
    assert bo.get_game(game)["reason"] == "agreement"


def test_a_yes_agrees_to_the_offer_that_was_told_and_to_no_later_one(
    server: Running, bo: Client
) -> None:
    game = begun(bo, server)
    tokens = json.loads(next(Path(os.environ["XDG_CONFIG_HOME"]).rglob("tokens.json")).read_text())
    with Client(server.url, tokens[server.url]) as una:
        session = Session(una, game=game)
        until = datetime.now(UTC) + timedelta(days=5)
        bo.make_offer(game, {"kind": "pause", "until": f"{until:%Y-%m-%dT%H:%M:%SZ}"})
        session.obey("show")
        bo.withdraw_offer(game, "pause")
        bo.make_offer(game, {"kind": "pause"})
        with capturing() as heard:
            session.obey("agree")
        assert "without an end. Say yes to agree." in " ".join(heard.getvalue().split())
        bo.withdraw_offer(game, "pause")
        bo.make_offer(game, {"kind": "pause"})
        assert not session.obey("yes")
        assert [one["by"] for one in bo.list_offers(game)["offers"]] == ["north"]


@contextmanager
def una_at(server: Running, game: str) -> Iterator[Session]:
    """Una's session, in this process, with the game open."""
    tokens = json.loads(next(Path(os.environ["XDG_CONFIG_HOME"]).rglob("tokens.json")).read_text())
    with Client(server.url, tokens[server.url]) as una:
        yield Session(una, game=game)


def heard_from(session: Session, line: str) -> tuple[bool, str]:
    """Whether the line was obeyed, and all that was printed, as one line."""
    with capturing() as heard:
        obeyed = session.obey(line)
    return obeyed, " ".join(heard.getvalue().split())


def test_a_turn_is_told_though_nothing_can_be_claimed_after_it(server: Running, bo: Client) -> None:
    game = begun(bo, server)
    bo.play_turn(game, actions=[bo.get_game(game)["legal"][0]])
    with una_at(server, game) as session:
        card, _, stone = session._open()["legal"][0].partition("@")
    line = f"play {card} at {stone}, claim all"
    answer, code = piped(server, line, options=f"--json --game {game}")
    assert (json.loads(answer)["turn"], code) == ("north", "0")
    bo.play_turn(game, actions=[bo.get_game(game)["legal"][0]])
    with una_at(server, game) as session:
        card, _, stone = session._open()["legal"][0].partition("@")
        obeyed, heard = heard_from(session, f"play {card} at {stone}, claim both")
    assert not obeyed
    assert re.search(r"You played .*'s turn.*0 Stones can be claimed now\.$", heard)


def test_a_claim_of_nothing_alone_is_refused(server: Running, bo: Client) -> None:
    game = begun(bo, server)
    refused, code = piped(server, "claim all", options=f"--json --game {game}")
    assert (json.loads(refused)["code"], code) == ("nothing-to-do", "1")


def test_a_yes_to_an_offer_ends_no_game_that_the_other_player_offered_to_end(
    server: Running, bo: Client
) -> None:
    game = begun(bo, server)
    with una_at(server, game) as session:
        assert "offer an end?" in heard_from(session, "offer an end")[1]
        bo.make_offer(game, {"kind": "abandonment"})
        obeyed, heard = heard_from(session, "yes")
    assert (obeyed, heard) == (False, "An end is offered already. Say show.")
    assert bo.get_game(game)["status"] == "active"
    assert [one["by"] for one in bo.list_offers(game)["offers"]] == ["north"]


def test_a_yes_holds_for_the_game_that_was_shown(server: Running, bo: Client) -> None:
    game = begun(bo, server)
    with una_at(server, game) as session:
        heard_from(session, "resign")
        bo.play_turn(game, actions=[bo.get_game(game)["legal"][0]])
        obeyed, heard = heard_from(session, "yes")
        assert not obeyed
        assert re.match(r"Bo \S+ played .* the game has moved on\. .* resign it\? Say yes", heard)
        assert bo.get_game(game)["status"] == "active"
        assert heard_from(session, "yes")[0]
    assert bo.get_game(game)["reason"] == "resignation"


def test_each_turn_is_told_once(
    server: Running, bo: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begun(bo, server)
    bo.play_turn(game, actions=[bo.get_game(game)["legal"][0]])
    with una_at(server, game) as session:
        client = session._client
        play = client.play_turn

        def answered_at_once(*given: Any, **options: Any) -> Any:
            view = play(*given, **options)
            bo.play_turn(game, actions=[bo.get_game(game)["legal"][0]])
            return view

        monkeypatch.setattr(client, "play_turn", answered_at_once)
        heard = heard_from(session, session._open()["legal"][0])[1]
        assert re.fullmatch(r"You played \w+ \d on Stone \d and drew .*'s turn.*", heard)
        assert len(re.findall(r"Bo \S+ played", heard + heard_from(session, "watch")[1])) == 1


def transcript(server: Running, bo: Client) -> str:
    """A beginning at the terminal, as docs/terminal.md shows one."""
    made = bo.create_game(clock=None, seat="south", first_player="creator")
    piped(server, f"join {made['invite_url']}")
    game = made["id"]
    bo.play_turn(game, actions=[bo.get_game(game)["legal"][0]])
    with capturing() as heard, una_at(server, game) as session:
        card, _, stone = session._open()["legal"][-1].partition("@")
        for line in ("show", f"play {card} at {stone}", "watch"):
            if line == "watch":
                bo.play_turn(game, actions=[bo.get_game(game)["legal"][-1]])
            heard.write(f"> {line}\n")
            session.obey(line)
    return re.sub(r"(Una|Bo) \S{6}(?= |'|\.|$)", r"\1", heard.getvalue(), flags=re.MULTILINE)


def test_the_example_of_the_guide_has_the_lines_that_are_printed(
    server: Running, bo: Client
) -> None:
    guide = (ROOT / "docs/terminal.md").read_text()
    (example,) = re.findall(r"^```text\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)

    def shape(text: str) -> str:
        named = " ".join(text.split()).replace("Iris", "Una")
        cards = re.sub(r"(Red|Orange|Yellow|Green|Blue|Purple) \d|[ROYGBP]\d", "CARD", named)
        return re.sub(r"N(, N)* and N", "Ns", re.sub(r"\b\d+\b", "N", cards))

    assert shape(example) == shape(transcript(server, bo))


def test_the_time_for_a_turn_is_told_in_one_zone(server: Running, bo: Client) -> None:
    game = begun(bo, server)
    (until,) = re.findall(r"turn, until ([^.]*)\.", " ".join(piped(server, f"show {game}")))
    assert re.fullmatch(r"\w+day \d+ \w+ \d{4}, \d\d:\d\d \(\S+\)", until)


def test_what_the_other_player_writes_is_read_aloud(server: Running, bo: Client) -> None:
    game = begun(bo, server)
    bo.send_message(game, text="Good luck,\nUna!")
    said = piped(server, "say thanks", "messages", options=f"--game {game}")
    assert said[0] == "Sent: thanks"
    assert said[1].endswith(" writes: Good luck, Una!")
    assert said[2].endswith(" writes: thanks")


def test_a_watch_tells_messages_offers_and_turns(server: Running, bo: Client) -> None:
    game = begun(bo, server)
    command = [str(COMMAND), "play", server.url, "--game", game]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as watching:
        assert watching.stdin is not None
        assert watching.stdout is not None
        watching.stdin.write("watch\n")
        watching.stdin.flush()
        heard = threading.Event()

        def write() -> None:
            # Until one is heard: before that the watch may not have begun.
            for number in range(15):
                bo.send_message(game, text=f"hello {number}")
                if heard.wait(2 + number):
                    return

        writing = threading.Thread(target=write)
        writing.start()
        assert " writes: hello " in watching.stdout.readline()
        heard.set()
        writing.join()
        bo.make_offer(game, {"kind": "pause"})
        told = ""
        while "Say agree or decline." not in told:
            told = f"{told} {watching.stdout.readline().strip()}"
        assert "offers to pause the clock without an end." in told
        bo.play_turn(game, actions=[bo.get_game(game)["legal"][0]])
        rest, _ = watching.communicate(timeout=PATIENCE)
    assert "Your turn" in rest
    assert watching.returncode == 0
