"""Mail that is about no one turn: it went to the sender of our mails, and is answered with a list.

Whoever reads a mailbox learns only what concerns its own address. Nothing changes here: `From` is
easily forged, and this address is no secret. A command that changes something has to ask first, by
an answer to a signed address.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

from service.accounts.player import Player
from service.accounts.players import Players
from service.core import ids
from service.core.errors import RequestRejected
from service.eventlog import UnreadableLog
from service.games import Games, StoredGame
from service.mail_in import outcome
from service.mail_in.outcome import Dropped, Outcome
from service.mail_in.reading.lines import Known, own_lines
from service.mail_in.reading.message import IncomingMessage
from service.mail_in.senders import Senders
from service.mail_in.words import sentences

ASKED: Final = "asked"
LED_BACK: Final = "misdirected"
STRANGER: Final = "asked-by-stranger"
"""How such mails are counted: by what they asked for; because they went to the wrong address; or
because they asked for something from an address that is no player's."""
_MOST_GAMES: Final = 5
"""Games that a mail is looked for in, of those that it answers."""


class DeskLetter(NamedTuple):
    """A mail of a player's: its id, and what it asks for, as the command's form found it."""

    id: str
    player: Player
    found: re.Match[str]


class Command(NamedTuple):
    """A line that may stand alone in such a mail: its `form`, in lower case and without the full
    stop; its line in the list of what can be written, if it stands there; and what answers it.

    The answer says nothing of `player`: the desk adds to whom it goes.
    """

    form: re.Pattern[str]
    help: str
    answer: Callable[["Desk", DeskLetter], Outcome]


class _Place(NamedTuple):
    player: Player
    stored: StoredGame


class Desk:
    """Answers these mails. Every call may be repeated with the same mail."""

    def __init__(self, players: Players, senders: Senders, games: Games) -> None:
        self.players = players
        self.games = games
        self._senders = senders

    def knows(self, message: IncomingMessage) -> bool:
        """Whether the mail is from a player, as far as can be told."""
        is_forged = self._senders.is_forged(message)
        return not is_forged and bool(self._senders.owners(message.sender or ""))

    def answer(self, mail_id: str, message: IncomingMessage) -> Outcome:
        """The answer to a mail to the sender of our mails. Raises `Dropped`."""
        sender = message.sender
        if sender is None or self._senders.is_forged(message):
            raise Dropped("forged" if sender else LED_BACK)
        named = self._named(message)
        place, owners = self._seated(sender, named), self._senders.owners(sender)
        if place is not None:
            owners = [place.player]
        line = only_line(message, *(player.name for player in owners))
        asked = _asked(line)
        if place is not None and (asked is None or line == "help"):
            return self._to(place.player, sender, _of_game(place.stored, line))
        if len(owners) == 1:
            return self._to(owners[0], sender, self._of_player(mail_id, owners[0], asked))
        if not owners and (asked is None or self._is_passed_on(sender, named)):
            raise Dropped(LED_BACK)  # none of our words: junk mail, most often
        said = (sentences.FOR_PLAYERS,)
        return Outcome(STRANGER, outcome.DESK, email=sender, sentences=said)

    def _named(self, message: IncomingMessage) -> list[StoredGame]:
        """The games of the mails that this one answers, the latest first."""
        ids_named = [text.partition("@")[0].partition(".")[0] for text in reversed(message.answers)]
        found = []
        for game_id in list(dict.fromkeys(ids_named))[:_MOST_GAMES]:
            if ids.is_game_id(game_id):
                with suppress(RequestRejected, UnreadableLog):
                    found.append(self.games.current(game_id))
        return found

    def _seated(self, sender: str, named: list[StoredGame]) -> _Place | None:
        """The player who writes, and the first of these games in which they sit."""
        for stored in named:
            for player in filter(None, map(self.players.find, stored.players)):
                if self._senders.is_of(player, sender):
                    return _Place(player, stored)
        return None

    def _is_passed_on(self, sender: str, named: list[StoredGame]) -> bool:
        """Whether a stranger answers a mail that went to somebody else."""
        invited = (self.games.invitations.address(stored.id) or "" for stored in named)
        return any(address.lower() != sender for address in invited)

    def _of_player(
        self, mail_id: str, player: Player, asked: tuple[Command, re.Match[str]] | None
    ) -> Outcome:
        if asked is None:
            return Outcome(LED_BACK, outcome.DESK, sentences=(sentences.NO_ONE_TURN,))
        command, found = asked
        return command.answer(self, DeskLetter(mail_id, player, found))

    def _to(self, player: Player, sender: str, told: Outcome) -> Outcome:
        """The outcome for this player, at the address that they wrote from."""
        is_further = self._senders.is_further(player.id, sender)
        return told._replace(player=player.id, email=sender if is_further else None)


def _of_game(stored: StoredGame, line: str) -> Outcome:
    """The answer to a player who wrote to the wrong address about this game."""
    kind, said = outcome.REFUSED, sentences.WRONG_ADDRESS
    if stored.game.status != "active":
        kind, said = outcome.BOARD, sentences.GAME_OVER
    elif line == "help":
        kind = outcome.HELP
    return Outcome(LED_BACK, kind, about=stored.id, game=stored.id, sentences=(said,))


def only_line(message: IncomingMessage, *names: str) -> str:
    """The only line of the mail that its writer wrote, in lower case and without the full stop;
    nothing where there are several, or none. The names may stand below it."""
    if message.body.problem is not None:
        return ""
    known = Known({*names, message.name})
    forms = [own_lines(text, known) for text in (message.body.text, message.body.page) if text]
    if any(len(lines) != 1 for lines in forms):
        return ""
    written = {lines[0].text.lower().strip(" .!?") for lines in forms}
    return written.pop() if len(written) == 1 else ""


def _asked(line: str) -> tuple[Command, re.Match[str]] | None:
    found = ((command, command.form.fullmatch(line)) for command in COMMANDS)
    return next(((command, match) for command, match in found if match), None)


def _says(sentence: str) -> Callable[[Desk, DeskLetter], Outcome]:
    return lambda desk, letter: Outcome(ASKED, outcome.DESK, sentences=(sentence,))


COMMANDS: Final[tuple[Command, ...]] = (
    Command(re.compile("help|commands|info"), "“help”: this list.", _says(sentences.DESK_HELP)),
    Command(
        re.compile(r"(?:my |list )?(?:my )?games|list|status"),
        "“games”: your games, each with the address at which it is played by mail.",
        _says(sentences.YOUR_GAMES),
    ),
    Command(
        re.compile("(?:a )?new game|new|start|play"),
        "“new game”: where to begin one.",
        _says(sentences.NEW_GAME),
    ),
    Command(re.compile("yes|yes,? it is|confirm"), "", _says(sentences.NOT_ASKED_HERE)),
)
"""Everything that can be written to the sender of our mails, but not to the address of a turn."""
HELP: Final = tuple(command.help for command in COMMANDS if command.help)
