"""The commands of `scottenbury play`: its own few words, and those of the mails for a turn."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from scottenbury_client import Client, Problem

from engine.chain import to_event
from engine.errors import UnknownEvent
from service.cli.output import echo
from service.cli.terminal.speech import (
    folded,
    names_of,
    options,
    spoken,
    turn_line,
    view_of,
)
from service.mail_in.reading.lines import Line, plain_form
from service.mail_in.words.commands import WholeTurn, read_commands
from service.mail_in.words.single_words import AskedWord
from service.text.board import board_text
from service.text.card_names import full_name
from service.text.history import narrate
from service.text.options import order_words

HELP: Final = (
    "games: your games, with their numbers. show 2: the second of them.",
    "show: the game again, in sentences. board: drawn, in nine columns.",
    "play R7 at 3, claim 3, claim all, draw tactic, pass, end: your turn.",
    "Several at once: play R7 at 3, claim 3. Tactic cards as in a mail.",
    "plan R7 at 3: is played once it is your turn. plan off: is not.",
    "say well played: writes to the other player.",
    "watch: waits, and tells what happens until it is your turn.",
    "replay: all that has happened. moves: all that you may do, as text.",
    "new steward: a game against a bot. resign, rematch. quit.",
)
_NO_GAME: Final = "Choose a game first: say games, then show and its number."
_MOVED_ON: Final = "Nothing was played, for the game has moved on:"
_UNCLEAR: Final = "That is not a command here. Say help for all of them."


class Session:
    """A player at a server, and the game that is open. With `as_json` answers are JSON, a line
    each."""

    def __init__(self, client: Client, *, as_json: bool = False, game: str | None = None) -> None:
        self._client, self._as_json = client, as_json
        self._game: Any = None if game is None else client.get_game(game)
        self._listed = list[str]()
        self._sure = ""
        self._own: Mapping[str, Callable[[str], None]] = {
            "games": self._games,
            "show": self._show,
            "board": self._board,
            "watch": self._watch,
            "replay": self._replay,
            "moves": self._moves,
            "plan": self._plan,
            "new": self._new,
            "say": self._say,
            "help": lambda rest: self._tell(HELP),
        }

    def obey(self, line: str) -> bool:
        """Do what a line asks for. Returns False if it asks to stop, or was refused."""
        word, _, rest = line.strip().partition(" ")
        try:
            if (command := self._own.get(word.lower())) is not None:
                command(rest.strip())
            elif word:
                self._turn(line)
        except Problem as problem:
            if problem.status == HTTPStatus.UNAUTHORIZED:
                raise
            self._refused(problem)
            return False
        return True

    def completions(self) -> list[str]:
        """The lines that make sense now."""
        legal = self._game["legal"] if self._game else []
        return [*self._own, "quit", *map(_as_command, legal)]

    def _games(self, _: str) -> None:
        games = [*self._client.list_games(status="active"), *self._client.list_games(status="open")]
        self._listed = [game["id"] for game in games]
        if self._as_json:
            self._put(games)
            return
        for number, game in enumerate(games, 1):
            players = " against ".join(names_of(game).values())
            self._tell([f"{number}. {players}. {turn_line(game)}"])
        if not games:
            self._tell(["You have no games. Say new steward for one against a bot."])

    def _show(self, which: str) -> None:
        if which.isdecimal() and 0 < int(which) <= len(self._listed):
            which = self._listed[int(which) - 1]
        game_id = which or self._open()["id"]
        self._game = self._client.get_game(game_id)
        self._put(self._game) if self._as_json else self._tell(spoken(self._game))

    def _board(self, _: str) -> None:
        game = self._open()
        self._put(game) if self._as_json else echo(board_text(view_of(game), names_of(game)))

    def _moves(self, _: str) -> None:
        legal = self._open()["legal"]
        self._put(legal) if self._as_json else self._tell(
            [" ".join(legal) or turn_line(self._game)]
        )

    def _replay(self, _: str) -> None:
        self._narrate(self._client.events(self._open()["id"]))

    def _watch(self, _: str) -> None:
        while self._open()["status"] in ("open", "active") and not self._is_mine():
            self._refresh(self._client.changed(self._game))
        self._announce()

    def _plan(self, text: str) -> None:
        game = self._open()
        if text in ("", "off"):
            self._put_plan(
                self._client.set_orders(game["id"], turn=None) if text else self._orders()
            )
            return
        turn = read_commands([Line(1, plain_form(text))])
        if not isinstance(turn, WholeTurn) or not turn.actions or turn.message or turn.standing:
            self._tell([_UNCLEAR])
            return
        planned = self._client.set_orders(game["id"], turn={"actions": list(turn.actions)})
        self._put_plan(planned)

    def _orders(self) -> Any:
        return self._client.get_orders(self._open()["id"])

    def _put_plan(self, orders: Any) -> None:
        if self._as_json:
            self._put(orders)
        elif orders["turn"]:
            self._tell([f"Planned for your turn: {order_words(orders['turn']['actions'])}."])
        else:
            self._tell(["Nothing is planned."])

    def _new(self, bot: str) -> None:
        made = self._client.create_game(opponent={"bot": bot or "steward"}, tactics=True)
        self._show(made["id"])

    def _say(self, text: str) -> None:
        sent = self._client.send_message(self._open()["id"], text=text.lstrip(": "))
        self._put(sent) if self._as_json else self._tell([f"Sent: {sent['text']}"])

    def _turn(self, line: str) -> None:
        asked = read_commands([Line(1, plain_form(line))])
        sure, self._sure = self._sure, ""
        match asked:
            case WholeTurn():
                self._take(asked)
            case AskedWord("resign"):
                self._sure = self._open()["id"]
                self._tell(["Do you give up this game? Say yes, and it is over."])
            case AskedWord("yes") if sure:
                self._client.resign_game(sure)
                self._refresh(self._client.get_game(sure))
                self._announce()
            case AskedWord("no"):
                self._tell(["The game goes on."])
            case AskedWord("rematch"):
                self._show(self._client.request_rematch(self._open()["id"])["id"])
            case _:
                self._tell([_UNCLEAR])

    def _take(self, turn: WholeTurn) -> None:
        """Take a turn, and tell what came of it, and what is still to be done."""
        game = self._open()
        if turn.is_move:
            played = game
            if turn.actions:
                played = self._client.play_turn(
                    game["id"], actions=list(turn.actions), if_match=game["version"]
                )
            for rest in turn.standing:
                played = self._finish(played, "!" if rest == "claim all" else "end")
            self._refresh(played)
            self._announce()
        if turn.message:
            self._say(turn.message)

    def _finish(self, game: Any, what: str) -> Any:
        """The game once every legal action that begins so has been taken."""
        while actions := [text for text in game["legal"] if text.startswith(what)][:1]:
            game = self._client.play_turn(game["id"], actions=actions, if_match=game["version"])
        return game

    def _refresh(self, game: Any) -> None:
        """Open the newer view of the game, and tell what has happened since."""
        before, self._game = self._game, game
        self._narrate(self._client.events(game["id"], before["version"]))

    def _announce(self) -> None:
        if self._as_json:
            self._put(self._game)
        else:
            self._tell([turn_line(self._game), *options(self._game)])

    def _narrate(self, events: Iterator[Any]) -> None:
        if self._as_json:
            for event in events:
                self._put(event)
        else:
            known = [event for event in events if _is_known(event)]
            self._tell(each.text for each in narrate(known, names_of(self._game), full_name))

    def _is_mine(self) -> bool:
        return bool(self._game["turn"] == self._game["seat"])

    def _open(self) -> Any:
        if self._game is None:
            raise Problem(0, {"code": "no-game", "detail": _NO_GAME})
        return self._game

    def _refused(self, problem: Problem) -> None:
        if self._game is not None and problem.code == "stale-version":
            self._tell([_MOVED_ON])
            self._refresh(self._client.get_game(self._game["id"]))
            self._announce()
        elif self._as_json:
            self._put(problem.members)
        else:
            self._tell([problem.detail])

    def _tell(self, texts: Iterable[str]) -> None:
        for text in texts:
            for line in folded(text):
                echo(line)

    def _put(self, value: Any) -> None:
        echo(json.dumps(value, ensure_ascii=False))


def _is_known(event: Any) -> bool:
    """Whether this program can put the event into words: a later server may have others."""
    try:
        to_event(event)
    except UnknownEvent:
        return False
    return True


def _as_command(action: str) -> str:
    """A legal action as a line to complete; the rarer ones as they are written."""
    card, at, stone = action.partition("@")
    if at and ":" not in card:
        return f"play {card} at {stone}"
    return f"claim {action[1:]}" if action[0] == "!" else action
