"""Whose words an answer to a mail is in, and the commands that it teaches.

A command is a place of a message, never a part of it: here is what fills the places, in the
language of the message. The commands themselves are in `letters/words/commands/`, from which the
reader of answers takes them too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from letters import taught
from service.accounts.mail_preferences import MailPreferences
from service.core.words import N_, PLACE, Languages, Words
from service.games.creation import Invitations

_EXAMPLES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "accept_as": ("accept_as", {"name": ""}),
    "accept_as_ada": ("accept_as", {"name": "Ada"}),
    "claim": ("claim", {"stone": "3"}),
    "give": ("give", {"time": "2 days"}),
    "invite": ("invite", {"whom": "ann@example.org", "options": ", 3 days, unrated"}),
    "language": ("language", {"language": ""}),
    "mail_off": ("mail_off", {"group": "reminders"}),
    "mail_on": ("mail_on", {"group": "reminders"}),
    "new_game": ("new_game", {"options": ", 3 days"}),
    "offer_pause_until": ("offer_pause_until", {"until": "24 Dec"}),
    "play": ("play", {"card": "R7", "stone": "3"}),
    "play_joker": ("play", {"card": "Joker", "stone": "5"}),
    "say": ("say", {"text": ""}),
    "say_hello": ("say", {"text": "hello"}),
    "say_luck": ("say", {"text": "good luck"}),
    "say_played": ("say", {"text": "well played"}),
    "vacation": ("vacation", {"first": "20 Dec", "last": "3 Jan"}),
    "vacation_until": ("vacation_until", {"last": "3 Jan"}),
    "zone": ("zone", {"zone": "Europe/Berlin"}),
}
"""The command and what stands in its places, by the names of places of messages."""
_ACTION_TEXT: Final[Mapping[str, str]] = {
    "short_banshee": "BAN:G4@2",
    "short_claim": "!3",
    "short_discard": "STR:R7@3>x",
    "short_draw": "+C",
    "short_move": "STR:R7@3>5",
    "short_play": "R7@3",
    "short_recruit": "REC:CCT",
    "short_return": "-R1,JOK",
    "short_traitor": "TRA:G4@2>6",
}
"""Action text, which has no language."""


class Commands(Mapping[str, str]):
    """The commands that messages of a language teach, by the names of their places."""

    def __init__(self, language: str) -> None:
        self._language = language

    def __getitem__(self, name: str) -> str:
        if name in _ACTION_TEXT:
            return _ACTION_TEXT[name]
        command, places = _EXAMPLES.get(name, (name, {}))
        return taught.command(self._language, command, **places).rstrip()

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*_EXAMPLES, *_ACTION_TEXT, *taught.WITHOUT_PLACES)))

    def __len__(self) -> int:
        return len(list(iter(self)))


def teach(words: Words, message: str, /, **places: object) -> str:
    """Say a message whose further places are commands."""
    commands = Commands(words.language)
    taught_here = {name: commands[name] for name in PLACE.findall(message) if name not in places}
    return words.say(message, **taught_here, **places)


def quoted(words: Words, command: str) -> str:
    """Return a command in the quotation marks of the language."""
    # Note: a command alone, in quotation marks
    return words.say("“%(command)s”", command=command)


_SHORT_OF_TACTICS: Final = N_(
    "Tactic cards in short: “%(short_move)s” moves, “%(short_discard)s” discards, then"
    " “%(short_banshee)s” and “%(short_traitor)s”; “%(short_recruit)s” draws, and"
    " “%(short_return)s” puts back."
)
_GUIDE: Final[Mapping[str, Sequence[str]]] = {
    N_("A turn, each command on its own line"): (
        N_(
            "“%(play)s”, also “%(play_joker)s” or in your own words; then “%(claim)s” or"
            " “%(claim_all)s”, and “%(draw_clan)s” or “%(draw_tactic)s” where you can choose. Else"
            " “%(pass)s” or “%(end)s”."
        ),
        N_(
            "In short: “%(short_play)s” plays, “%(short_claim)s” claims and “%(short_draw)s” draws."
        ),
        _SHORT_OF_TACTICS,
        N_("“%(say_played)s”, below the turn or alone, writes to the other player."),
    ),
    N_("About a game, alone in a mail"): (
        N_(
            "“%(show)s” has the board sent. “%(give)s” gives the other player time."
            " “%(offer_pause_until)s” or “%(offer_end)s” asks them; you answer with “%(agree)s” or"
            " “%(decline)s”. “%(resume)s” ends a pause."
        ),
        N_(
            "“%(resign)s”, or “%(claim_win)s” once their time is out. When it is over:"
            " “%(rematch)s”."
        ),
    ),
    N_("About all of them"): (
        N_(
            "“%(games)s” lists yours. “%(invite)s” invites, a player by name too; “%(new_game)s”"
            " gets a link to pass on."
        ),
        N_(
            "“%(vacation)s” or “%(vacation_until)s”, and “%(back)s” once you are. Also “%(zone)s”,"
            " and “%(mails)s” with “%(mail_off)s”."
        ),
        # Note: name another language than yours behind the command
        N_("“%(language)s German” gets you mails in German, “%(language)s French” in French."),
        N_(
            "“%(rules)s” has them in short, “%(help)s” is this list; “%(undo)s” tells what can be"
            " done about a turn. “%(yes)s” or “%(no)s” answers a question; “%(call_off)s” what you"
            " asked for."
        ),
    ),
}


def guide(words: Words, *, has_tactics: bool = True) -> dict[str, list[str]]:
    """Return the commands that an answer may hold, as our mails list them: the lines under each
    heading. Those of Tactic cards are left out of a game that does not have them.

    They are in quotation marks, since no line of ours may be read as a command when it is quoted;
    and there are words between any two, since a line may break only there.
    """
    return {
        words.say(title): [
            teach(words, line) for line in lines if has_tactics or line != _SHORT_OF_TACTICS
        ]
        for title, lines in _GUIDE.items()
    }


@dataclass(frozen=True, slots=True)
class PlayerWords:
    """Finds the words of players."""

    languages: Languages
    preferences: MailPreferences
    invitations: Invitations

    def of(self, player: str | None, game: str = "") -> Words:
        """Return the words of this player; for somebody without an account those of the address
        that was invited to the game, or English."""
        if player is None:
            return self.languages.words(self.invitations.language(game))
        return self.languages.words(self.preferences.choice(player).language)
