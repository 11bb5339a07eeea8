"""The commands of `scottenbury play`: its own few words, and those of the mails for a turn."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from scottenbury_client import Client, News, Problem
from scottenbury_client.models import Game, Orders

from engine.chain import to_event
from engine.errors import UnknownEvent
from service.cli.output import echo
from service.cli.terminal import proposals
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
from service.mail_in.words.grammar import Gift
from service.mail_in.words.single_words import AskedWord
from service.mail_in.words.wishes import BeginGame, OfferPause
from service.text.board import board_text
from service.text.card_names import full_name
from service.text.history import narrate
from service.text.options import order_words

HELP: Final = (
    "games: your games and challenges, by number. show 2: the second.",
    "show: the game again, in sentences. board: drawn, in nine columns.",
    "play R7 at 3, claim 3, claim all, draw tactic, pass, end: your turn.",
    "Several at once: play R7 at 3, claim 3. Tactic cards as in a mail.",
    "plan R7 at 3: is played once it is your turn. plan off: is not.",
    "say well played: writes to the other player. messages: reads all.",
    "watch: waits, and tells what happens until it is your turn.",
    "replay: all that has happened. moves: all that you may do, as text.",
    "new steward: a game against a bot. resign, rematch, call it off.",
    "new game with Ann, 3 days: challenges a player. new game: gives a link.",
    "accept 2, decline 2: a challenge or invitation. join LINK: a free seat.",
    "offer a pause until 24 Dec, resume, offer an end, give 2 days,",
    "agree, decline, claim the win: about the clock and the end. quit.",
)
_NO_GAME: Final = "Choose a game first: say games, then show and its number."
_MOVED_ON: Final = "Nothing was played, for the game has moved on:"
_NO_NUMBER: Final = "No game has this number. Say games for the list."
_UNCLEAR: Final = "That is not a command here. Say help for all of them."


class Session:
    """A player at a server, and the game that is open. With `as_json` answers are JSON, a line
    each."""

    def __init__(self, client: Client, *, as_json: bool = False, game: str | None = None) -> None:
        self._client, self._as_json = client, as_json
        self._game: Game | None = None if game is None else client.get_game(game)
        self._listed = list[Any]()
        self._sure = ""
        self._ending = ""
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
            "messages": self._messages,
            "join": self._join,
            "help": lambda rest: self._print(HELP),
        }

    def obey(self, line: str) -> bool:
        """Carry out a line. Return False if the server or this program refused it."""
        word, _, rest = line.strip().partition(" ")
        try:
            if word.lower() in ("accept", "decline") and rest.strip().isdecimal():
                self._answer(word.lower(), rest.strip())
            elif line.strip().lower().startswith("new game"):
                self._turn(line)
            elif (command := self._own.get(word.lower())) is not None:
                self._ending = ""
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
        """The lines to complete: this program's own words, and the legal actions."""
        legal = self._game["legal"] if self._game else []
        return [*self._own, "quit", *map(_as_command, legal)]

    def _games(self, _: str) -> None:
        games = [*self._client.list_games(status="active"), *self._client.list_games(status="open")]
        self._listed = [*games, *self._client.list_challenges()]
        if self._as_json:
            self._put(self._listed)
            return
        for number, each in enumerate(self._listed, 1):
            self._print([f"{number}. {self._listed_line(each)}".replace("NUMBER", str(number))])
        if not self._listed:
            self._print(["You have no games. Say new steward for one against a bot."])

    def _listed_line(self, each: Any) -> str:
        if "to" in each:
            return proposals.challenge_line(each, self._me())
        if each["seat"] is None:
            (inviter,) = (player["name"] for player in each["players"].values() if player)
            return f"{inviter} invites you to a game. Say accept NUMBER."
        return f"{' against '.join(names_of(each).values())}. {turn_line(each)}"

    def _me(self) -> str:
        return self._client.get_me()["id"]

    def _numbered(self, which: str) -> Any:
        if not 0 < int(which) <= len(self._listed):
            raise proposals.refusal(_NO_NUMBER)
        return self._listed[int(which) - 1]

    def _answer(self, word: str, which: str) -> None:
        """Accept or decline the challenge or invitation with this number in the list."""
        meant = self._numbered(which)
        if "to" in meant:
            answered = proposals.answer_challenge(self._client, meant, self._me(), word)
            if word == "accept":
                self._show(answered["id"])
            else:
                self._say_so(answered, "That challenge is over.")
        elif word == "accept":
            self._show(self._client.join_game(meant["id"])["id"])
        else:
            raise proposals.refusal("Only a challenge can be declined.")

    def _join(self, link: str) -> None:
        self._show(proposals.join(self._client, link)["id"])

    def _show(self, which: str) -> None:
        if which.isdecimal():
            which = self._numbered(which)["id"]
        self._game = self._client.get_game(which or self._open()["id"])
        if self._as_json:
            self._put(self._game)
            return
        self._print(spoken(self._game))
        names, seat = names_of(self._game), self._game["seat"]
        offers = proposals.offers_in(self._client, self._game)
        self._print(offer.sentence(names, seat) for offer in offers)

    def _board(self, _: str) -> None:
        game = self._open()
        self._put(game) if self._as_json else echo(board_text(view_of(game), names_of(game)))

    def _moves(self, _: str) -> None:
        game = self._open()
        legal = game["legal"]
        self._put(legal) if self._as_json else self._print([" ".join(legal) or turn_line(game)])

    def _replay(self, _: str) -> None:
        self._narrate(self._client.events(self._open()["id"]))

    def _watch(self, _: str) -> None:
        # From here on, so that nothing is missed between the view and the stream.
        place = self._client.place()
        self._refresh(self._client.get_game(self._open()["id"]))
        if self._waits():
            for news in self._client.follow_mine(place, news="messages,offers"):
                self._hear(news)
                if not self._waits():
                    break
        self._announce()

    def _waits(self) -> bool:
        return self._open()["status"] in ("open", "active") and not self._is_mine()

    def _hear(self, news: News) -> None:
        """Print news of the open game."""
        game = self._open()
        if news.type != "reset" and news.data.get("game") != game["id"]:
            return
        if news.type in ("message", "offer"):
            lines = proposals.news_lines(news, names_of(game), game["seat"])
            self._put(news.data) if self._as_json else self._print(lines)
        elif news.type == "reset" or news.data["event"]["seq"] > game["version"]:
            self._refresh(self._client.get_game(game["id"]))

    def _plan(self, text: str) -> None:
        game = self._open()
        if text in ("", "off"):
            self._put_plan(
                self._client.set_orders(game["id"], turn=None) if text else self._orders()
            )
            return
        turn = read_commands([Line(1, plain_form(text))])
        if not isinstance(turn, WholeTurn) or not turn.actions or turn.message or turn.dependent:
            self._print([_UNCLEAR])
            return
        planned = self._client.set_orders(game["id"], turn={"actions": list(turn.actions)})
        self._put_plan(planned)

    def _orders(self) -> Orders:
        return self._client.get_orders(self._open()["id"])

    def _put_plan(self, orders: Orders) -> None:
        if self._as_json:
            self._put(orders)
        elif orders["turn"]:
            self._print([f"Planned for your turn: {order_words(orders['turn']['actions'])}."])
        else:
            self._print(["Nothing is planned."])

    def _messages(self, _: str) -> None:
        game = self._open()
        messages = [*self._client.list_messages(game["id"])][::-1]
        if self._as_json:
            self._put(messages)
            return
        self._print(proposals.message_line(each, names_of(game)) for each in messages)
        if not messages:
            self._print(["Nothing is written yet. Say say, and your words, to begin."])

    def _new(self, bot: str) -> None:
        made = self._client.create_game(opponent={"bot": bot or "steward"}, tactics=True)
        self._show(made["id"])

    def _say(self, text: str) -> None:
        sent = self._client.send_message(self._open()["id"], text=text.lstrip(": "))
        self._put(sent) if self._as_json else self._print([f"Sent: {sent['text']}"])

    def _turn(self, line: str) -> None:
        asked = read_commands([Line(1, plain_form(line))])
        sure, self._sure = self._sure, ""
        ending, self._ending = self._ending, ""
        match asked:
            case WholeTurn():
                self._take(asked)
            case AskedWord("resign"):
                self._sure = self._open()["id"]
                self._print(["Do you give up this game? Say yes, and it is over."])
            case AskedWord("yes") if sure:
                self._client.resign_game(sure)
                self._refresh(self._client.get_game(sure))
                self._announce()
            case AskedWord("offer an end"):
                self._ending = self._open()["id"]
                self._print([proposals.ending_offered(self._open())])
            case AskedWord("yes") if ending:
                self._say_so(self._client.abandon_game(ending), "Done.")
                self._refresh(self._client.get_game(ending))
            case AskedWord("no"):
                self._print(["The game goes on."])
            case BeginGame():
                made = proposals.begin(self._client, asked)
                if made["status"] == "active":
                    self._show(made["id"])
                else:
                    self._game = self._game if "to" in made else made
                    self._say_so(made, proposals.begun(made))
            case AskedWord() | Gift() | OfferPause():
                self._agreement(asked)
            case _:
                self._print([_UNCLEAR])

    def _agreement(self, asked: AskedWord | Gift | OfferPause) -> None:
        """Carry out a command about the clock or the end of the open game."""
        game, client = self._open(), self._client
        match asked:
            case AskedWord("rematch"):
                self._show(client.request_rematch(game["id"])["id"])
                return
            case AskedWord("agree" | "accept" | "decline"):
                agrees = asked.word != "decline"
                done = proposals.answer_offer(client, game, asked.about, agrees=agrees)
            case AskedWord("claim the win"):
                done = client.claim_time_out(game["id"])
            case AskedWord("call it off"):
                done = client.call_off_game(game["id"])
            case AskedWord("resume"):
                done = client.resume_clock(game["id"])
            case OfferPause(until):
                done = proposals.offer_pause(client, game, until)
            case Gift(seconds):
                done = proposals.give_time(client, game, seconds)
            case _:
                self._print([_UNCLEAR])
                return
        self._say_so(done, "Done.")
        self._refresh(client.get_game(game["id"]))

    def _say_so(self, done: object, sentence: str) -> None:
        self._put(done) if self._as_json else self._print([sentence])

    def _take(self, turn: WholeTurn) -> None:
        """Take a turn, and print its outcome, and the actions still to be taken."""
        game = self._open()
        if turn.is_move:
            played = game
            if turn.actions:
                played = self._client.play_turn(
                    game["id"], actions=list(turn.actions), if_match=game["version"]
                )
            for rest in turn.dependent:
                played = self._finish(played, "!" if rest == "claim all" else "end")
            self._refresh(played)
            self._announce()
        if turn.message:
            self._say(turn.message)

    def _finish(self, game: Game, what: str) -> Game:
        """Take every legal action that begins with `what`; returns the game after them."""
        while actions := [text for text in game["legal"] if text.startswith(what)][:1]:
            game = self._client.play_turn(game["id"], actions=actions, if_match=game["version"])
        return game

    def _refresh(self, game: Game) -> None:
        """Replace the view of the game by this newer one, and print the events since."""
        before, self._game = self._open(), game
        self._narrate(self._client.events(game["id"], before["version"]))

    def _announce(self) -> None:
        game = self._open()
        self._put(game) if self._as_json else self._print([turn_line(game), *options(game)])

    def _narrate(self, events: Iterator[Any]) -> None:
        if self._as_json:
            for event in events:
                self._put(event)
        else:
            readable = [event for event in events if _is_readable(event)]
            self._print(each.text for each in narrate(readable, names_of(self._open()), full_name))

    def _is_mine(self) -> bool:
        return self._open()["turn"] == self._open()["seat"]

    def _open(self) -> Game:
        if self._game is None:
            raise Problem(0, {"code": "no-game", "detail": _NO_GAME})
        return self._game

    def _refused(self, problem: Problem) -> None:
        if self._game is not None and problem.code == "stale-version":
            self._print([_MOVED_ON])
            self._refresh(self._client.get_game(self._game["id"]))
            self._announce()
        elif self._as_json:
            self._put(problem.members)
        else:
            self._print([problem.detail])

    def _print(self, texts: Iterable[str]) -> None:
        for text in texts:
            for line in folded(text):
                echo(line)

    def _put(self, value: object) -> None:
        echo(json.dumps(value, ensure_ascii=False))


def _is_readable(event: Any) -> bool:
    """Whether this program can put the event into words: a later server may have others."""
    try:
        to_event(event)
    except UnknownEvent:
        return False
    return True


def _as_command(action: str) -> str:
    """A legal action as a line to complete; the rarer ones as action text."""
    card, at, stone = action.partition("@")
    if at and ":" not in card:
        return f"play {card} at {stone}"
    return f"claim {action[1:]}" if action[0] == "!" else action
