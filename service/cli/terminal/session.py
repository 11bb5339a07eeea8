"""The commands of `scottenbury play`: its own few words, and those of the mails for a turn.

What ends a game or binds its player is asked about. The question names its game and what a `yes`
does, and the next command that is no answer ends it.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from itertools import takewhile
from typing import Any, Final

from scottenbury_client import Client, News, Problem, ScottenburyError, Stale
from scottenbury_client.models import Game, Orders

from engine.cards import CLANS, OTHER
from engine.chain import to_event
from engine.errors import UnknownEvent
from engine.notation import explain
from letters.commands import WholeTurn, read_commands
from letters.grammar import Dependent, Gift
from letters.mail.lines import Line, plain_form
from letters.wishes import AskedWord, BeginGame, Offered, OfferPause
from service.cli.output import echo
from service.cli.terminal import proposals
from service.cli.terminal.speech import folded, names_of, options, spoken, turn_line, view_of
from service.core.times import HOUR
from service.core.words import ENGLISH
from service.text.board import board_text
from service.text.card_names import card_name
from service.text.history import narrate
from service.text.options import order_words

HELP: Final = (
    "games: your games and challenges, by number. show 2: the second.",
    "show: the game again, in sentences. board: drawn, in nine columns.",
    "play R7 at 3, claim 3, claim all, draw tactic, pass, end: your turn.",
    "Several at once: play R7 at 3, claim 3. Tactic cards with a target as",
    "moves shows them, such as STR:R7@3>5.",
    "plan R7 at 3: is played once it is your turn. plan off: is not.",
    "say well played: writes to the other player. messages: reads all.",
    "watch: waits, and tells what happens until it is your turn.",
    "replay: all that has happened. moves: all that you may do, as text.",
    "new steward, new piper, or another bot: a game with Tactic cards.",
    "new game with the bot: one without. resign, rematch, call it off.",
    "yes, no: answer a question. Any other command leaves it unanswered.",
    "new game with Ann, 3 days: challenges a player. new game: gives a link.",
    "accept 2, decline 2: a challenge or invitation. join LINK: a free seat.",
    "offer a pause until 24 Dec, resume, offer an end, give 2 days,",
    "agree, decline, claim the win: about the clock and the end. quit.",
)
_NO_GAME: Final = "Choose a game first: say games, then show and its number."
_MOVED_ON: Final = "Nothing was played, for the game has moved on:"
_NOT_DONE: Final = "Nothing was done, for the game has moved on."
_NO_NUMBER: Final = "No game has this number. Say games for the list."
_NO_PLAN: Final = "A plan is a turn in full, with cards and Stones: plan R7 at 3, claim 3."
_COLOURS: Final = {name.lower(): letter for letter, name in CLANS.items()}
_COLOUR: Final = re.compile(rf"({'|'.join(_COLOURS)}) (?=\d)", re.IGNORECASE)
_PLAY: Final = re.compile(r"(?:play )?(\S+) (?:at|on) (?:stone )?(\S+)|play (\S+)", re.IGNORECASE)
_EXAMPLES: Final = {
    "play": "Say which card, and on which Stone: play R7 at 3.",
    "claim": "Say which Stone: claim 3. Or claim all.",
    "draw": "Say from which deck: draw clan or draw tactic.",
}


class Session:
    """A player at a server, and the game that is open. With `as_json` answers are JSON, a line
    each. At a terminal (`is_person`) a bot's turn is waited for."""

    def __init__(
        self,
        client: Client,
        *,
        as_json: bool = False,
        is_person: bool = False,
        game: str | None = None,
    ) -> None:
        self._client, self._as_json, self._is_person = client, as_json, is_person
        self._game: Game | None = None if game is None else client.get_game(game)
        self._listed = list[Any]()
        self._asked: Callable[[], None] | None = None
        """What a `yes` does."""
        self._told = set[tuple[str, int]]()
        """Games and numbers of the offers whose terms were told."""
        self._has_ended = False
        """Whether this line has told the end of the open game."""
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
            "help": lambda rest: self._put([*HELP]) if self._as_json else self._print(HELP),
        }

    def obey(self, line: str) -> bool:
        """Carry out a line. Return False if the server or this program refused it, or the server
        cannot be reached."""
        word, _, rest = line.strip().partition(" ")
        asked, self._asked, self._has_ended = self._asked, None, False
        try:
            if word.lower() in ("accept", "decline") and rest.strip().isdecimal():
                self._answer(word.lower(), rest.strip())
            elif line.strip().lower().startswith("new game"):
                self._turn(line, asked)
            elif (command := self._own.get(word.lower())) is not None:
                command(rest.strip())
            else:
                self._turn(line, asked)
        except Problem as problem:
            if problem.status == HTTPStatus.UNAUTHORIZED:
                raise
            self._refused(problem)
            return False
        except ScottenburyError as error:
            self._refused(proposals.refusal(str(error), "unreachable"))
            return False
        return True

    def completions(self) -> list[str]:
        """The lines to complete: this program's own words, and the legal actions."""
        legal = self._game["legal"] if self._game else []
        return [*self._own, "quit", *map(_as_command, legal)]

    def _list(self) -> None:
        games = [*self._client.list_games(status="active"), *self._client.list_games(status="open")]
        self._listed = [*games, *self._client.list_challenges()]

    def _games(self, _: str) -> None:
        self._list()
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
            if not self._listed:
                self._list()
            which = self._numbered(which)["id"]
        self._game = self._client.get_game(which or self._open()["id"])
        if self._as_json:
            self._put(self._game)
            return
        self._print(spoken(self._game))
        for offer in proposals.offers_in(self._client, self._game):
            self._told.add((self._game["id"], offer.number))
            self._print([offer.sentence(names_of(self._game), self._game["seat"])])

    def _board(self, _: str) -> None:
        game = self._open()
        self._put(game) if self._as_json else echo(
            board_text(ENGLISH, view_of(game), names_of(game))
        )

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
            if news.type == "offer":
                self._told.add((game["id"], news.data["offer"]["number"]))
            lines = proposals.news_lines(news, names_of(game), game["seat"])
            self._put(news.data) if self._as_json else self._print(lines)
        elif news.type == "reset" or news.data["event"]["seq"] > game["version"]:
            self._refresh(self._client.get_game(game["id"]))

    def _plan(self, text: str) -> None:
        game = self._open()
        if text in ("", "off"):
            game_id = game["id"]
            self._put_plan(
                self._client.set_orders(game_id, turn=None)
                if text
                else self._client.get_orders(game_id)
            )
            return
        turn = read_commands([Line(1, plain_form(text))])
        if not isinstance(turn, WholeTurn):
            raise _unclear(text)
        if not turn.actions or turn.message or turn.dependent:
            raise proposals.refusal(_NO_PLAN, "not-a-command")
        planned = self._client.set_orders(game["id"], turn={"actions": list(turn.actions)})
        self._put_plan(planned)

    def _put_plan(self, orders: Orders) -> None:
        if self._as_json:
            self._put(orders)
        elif orders["turn"]:
            self._print(
                [f"Planned for your turn: {order_words(ENGLISH, orders['turn']['actions'])}."]
            )
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
            self._print(["Nothing is written yet. To write, for example: say good luck."])

    def _new(self, bot: str) -> None:
        made = self._client.create_game(opponent={"bot": bot or "steward"}, tactics=True)
        self._begin(made["id"])

    def _begin(self, game: str) -> None:
        """Open a game that has just begun."""
        self._show(game)
        if self._game is not None and not self._as_json:
            kind = "with" if self._game["tactics"] else "without"
            self._print([f"This is a new game {kind} Tactic cards."])
        if not self._is_mine():
            self._wait_for_bot()

    def _say(self, text: str) -> None:
        sent = self._client.send_message(self._open()["id"], text=text.lstrip(": "))
        self._put(sent) if self._as_json else self._print([f"Sent: {sent['text']}"])

    def _turn(self, line: str, asked: Callable[[], None] | None) -> None:
        """Carry out a line in the words of mails. `asked` is what a `yes` does."""
        wanted = read_commands([Line(1, plain_form(line))])
        match wanted:
            case WholeTurn():
                self._take(wanted)
            case AskedWord("yes" | "no") if asked is None:
                raise proposals.refusal("Nothing is asked now.", "nothing-asked")
            case AskedWord("yes") if asked is not None:
                asked()
            case AskedWord("no"):
                self._say_so({"done": False}, "Nothing was done.")
            case BeginGame():
                made = proposals.begin(self._client, wanted)
                if made["status"] == "active":
                    self._begin(made["id"])
                else:
                    self._game = self._game if "to" in made else made
                    self._say_so(made, proposals.begun(made))
            case AskedWord() | Gift() | OfferPause():
                self._agreement(wanted, line)
            case _:
                raise _unclear(line)

    def _ask(self, about: str, do: Callable[[int], object], again: Callable[[], str]) -> str:
        """Return the question whether to do something, by the game's version. `about` completes
        "Your game against …: ". A `yes` holds for the version that was shown, and its offers; once
        there are others, `again` asks anew."""
        game = self._open()
        if game["status"] != "active" or game["seat"] is None:
            is_over = game["status"] != "active"
            raise proposals.refusal(turn_line(game) if is_over else "You do not play in this game.")
        other = names_of(game)[OTHER[game["seat"]]]
        version, offers = game["version"], proposals.offers_in(self._client, game)

        def carry_out() -> None:
            now = self._client.get_game(game["id"])
            if now["version"] != version or proposals.offers_in(self._client, now) != offers:
                self._refresh(now)
                raise proposals.refusal(f"{_NOT_DONE} {again()}", "too-late")
            self._done(game["id"], do(version))

        self._asked = carry_out
        return f"Your game against {other}, {game['id']}: {about}"

    def _done(self, game: str, answer: object) -> None:
        """Tell what was done about this game, and what has happened in it."""
        self._say_so(answer, "Done.")
        if self._open()["id"] == game:
            self._refresh(self._client.get_game(game))

    def _end(self, word: str, about: Offered | None) -> str:
        """Return the question whether to do what ends the open game, or to agree to an offer."""
        game, client = self._open(), self._client

        def again() -> str:
            return self._end(word, about)

        if word == "resign":
            what = "this round" if game["rounds"] > 1 else "it"
            return self._ask(
                f"resign {what}? Say yes, and it is lost.",
                lambda version: client.resign_game(game["id"], if_match=version),
                again,
            )
        if word == "offer an end":
            if any(offer.about == "abandonment" for offer in proposals.offers_in(client, game)):
                raise proposals.refusal("An end is offered already. Say show.", "offered")
            return self._ask(
                proposals.ending_offered(game),
                lambda version: client.make_offer(
                    game["id"], {"kind": "abandonment"}, if_match=version
                ),
                again,
            )
        offer = proposals.offer_meant(client, game, about, agrees=True)
        terms = offer.sentence(names_of(game), game["seat"]).rpartition(" Say ")[0]
        return self._ask(
            f"{terms} Say yes to agree.", lambda _: proposals.agree(client, game, offer), again
        )

    def _ask_first(self, word: str, about: Offered | None) -> None:
        """Ask before doing what ends the game. A pause whose terms were told is agreed to."""
        game = self._open()
        if word in ("agree", "accept"):
            offer = proposals.offer_meant(self._client, game, about, agrees=True)
            if offer.about == "pause" and (game["id"], offer.number) in self._told:
                self._done(game["id"], proposals.agree(self._client, game, offer))
                return
        question = self._end(word, about)
        self._say_so({"question": question, "game": game["id"]}, question)

    def _agreement(self, asked: AskedWord | Gift | OfferPause, line: str) -> None:
        """Carry out a command about the clock or the end of the open game."""
        game, client = self._open(), self._client
        done: object
        match asked:
            case AskedWord("resign" | "offer an end" | "agree" | "accept" as word):
                self._ask_first(word, asked.about)
                return
            case AskedWord("rematch"):
                self._begin(client.request_rematch(game["id"])["id"])
                return
            case AskedWord("decline"):
                done = proposals.decline(client, game, asked.about)
            case AskedWord("claim the win"):
                done = client.claim_time_out(game["id"])
            case AskedWord("call it off"):
                done = client.call_off_game(game["id"])
            case AskedWord("resume"):
                done = client.change_clock(game["id"], {"resume": True})
            case OfferPause(until):
                done = proposals.offer_pause(client, game, until)
            case Gift(seconds):
                done = client.change_clock(game["id"], {"give": {"hours": max(1, seconds // HOUR)}})
            case _:
                raise _unclear(line)
        self._done(game["id"], done)

    def _say_so(self, done: object, sentence: str) -> None:
        self._put(done) if self._as_json else self._print([sentence])

    def _take(self, turn: WholeTurn) -> None:
        """Take a turn, and print its outcome, and the actions still to be taken."""
        self._open()
        if turn.actions:
            self._play(turn.actions)
        left: Problem | None = None
        for what in turn.dependent:
            try:
                self._play_dependent(what, is_first=not turn.actions)
            except Problem as problem:
                if not turn.actions:
                    raise
                # Raised once the rest of the turn, which stands, has been told.
                left = proposals.refusal(problem.detail, problem.code)
                break
        if turn.is_move:
            self._announce()
            self._wait_for_bot()
        if turn.message:
            self._say(turn.message)
        if left is not None:
            raise left

    def _play_dependent(self, what: Dependent, *, is_first: bool) -> None:
        """Play what depends on the position. Behind a play, there may be nothing left to do."""
        ends = what == "done"
        starts = ("+", "end") if ends else "!"
        actions = [text for text in self._open()["legal"] if text.startswith(starts)]
        if what == "claim both" and len(actions) != 2 and (actions or not is_first):
            raise proposals.refusal(f"{len(actions)} Stones can be claimed now.", "not-both")
        if not actions:
            said = "There is no turn to end." if ends else "No Stone can be claimed now."
            if is_first:
                raise proposals.refusal(said, "nothing-to-do")
            if not ends and not self._as_json:
                self._print([said])
        elif not ends or len(actions) == 1:
            self._play(actions)

    def _play(self, actions: Iterable[str]) -> None:
        game = self._open()
        self._refresh(
            self._client.play_turn(game["id"], actions=[*actions], if_match=game["version"])
        )

    def _wait_for_bot(self) -> None:
        """Wait at a terminal for a bot's turn, which comes at once."""
        game = self._open()
        other = game["players"][OTHER[game["seat"]]] if game["seat"] else None
        if self._is_person and other is not None and other["bot"] and self._waits():
            self._watch("")

    def _refresh(self, game: Game) -> None:
        """Replace the view of the game by this newer one, and print the events since."""
        before, self._game = self._open(), game
        self._has_ended = before["status"] == "active" and game["status"] != "active"
        if not self._as_json:
            events = self._client.events(game["id"], before["version"])
            # No further than this view, else the next one tells them again.
            self._narrate(takewhile(lambda event: event["seq"] <= game["version"], events))

    def _announce(self) -> None:
        game = self._open()
        if self._as_json:
            self._put(game)
        elif not self._has_ended:
            self._print([turn_line(game), *options(game)])

    def _narrate(self, events: Iterator[Any]) -> None:
        if self._as_json:
            for event in events:
                self._put(event)
        else:
            readable = [event for event in events if _is_readable(event)]
            game = self._open()
            told = narrate(ENGLISH, readable, names_of(game), game["seat"], card_name)
            self._print(each.text for each in told)

    def _is_mine(self) -> bool:
        return self._open()["turn"] == self._open()["seat"]

    def _open(self) -> Game:
        if self._game is None:
            raise proposals.refusal(_NO_GAME, "no-game")
        return self._game

    def _refused(self, problem: Problem) -> None:
        moved_on = self._game is not None and isinstance(problem, Stale)
        if self._as_json:
            self._put(problem.members)
        else:
            self._print([_MOVED_ON if moved_on else problem.detail])
        if self._game is not None and moved_on:
            self._refresh(self._client.get_game(self._game["id"]))
            if not self._as_json:
                self._announce()

    def _print(self, texts: Iterable[str]) -> None:
        for text in texts:
            for line in folded(text):
                echo(line)

    def _put(self, value: object) -> None:
        echo(json.dumps(value, ensure_ascii=False))


def _unclear(line: str) -> Problem:
    """The refusal of a line that is no command: it says what is wrong with a card, a Stone or a
    deck."""
    text = _COLOUR.sub(lambda match: _COLOURS[match[1].lower()], plain_form(line))
    parts = re.split(r",| and ", text)
    for part in parts:
        word, _, rest = part.strip().partition(" ")
        if (example := _EXAMPLES.get(word.lower())) and not rest:
            return proposals.refusal(example, "not-a-command")
        if isinstance(read_commands([Line(1, part.strip())]), WholeTurn):
            continue
        if word.lower() == "claim":
            action = f"!{rest.removeprefix('stone ')}"
        elif word.lower() == "draw":
            action = "+"
        elif match := _PLAY.fullmatch(part.strip()):
            action = match[3] or f"{match[1]}@{match[2]}"
        else:
            action = part.strip()
        reason = explain(action.upper()).partition("is not an action. ")[2]
        if "Examples: " not in reason:
            own = line.strip() if len(parts) == 1 else part.strip()
            return proposals.refusal(f"“{own[:40]}” cannot be played. {reason}", "not-a-command")
    said = f"“{line.strip()[:40]}” is not a command here. Say help for all of them."
    return proposals.refusal(said, "not-a-command")


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
