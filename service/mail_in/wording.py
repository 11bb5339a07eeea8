"""Whose words an answer to a mail is in, and the commands that it teaches.

A command is a place of a message, never a part of it: here is what fills the places. Commands are
English in every language, as that is what reads them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.accounts.mail_preferences import MailPreferences
from service.core.words import ENGLISH, N_, Languages, Words

_PLACE: Final = re.compile(r"%\((\w+)\)s")
COMMANDS: Final[Mapping[str, str]] = {
    "accept": "accept",
    "accept_as": "accept as",
    "accept_as_ada": "accept as Ada",
    "agree": "agree",
    "agree_end": "agree to abandon it",
    "agree_pause": "agree to the pause",
    "back": "back",
    "call_off": "call it off",
    "claim": "claim 3",
    "claim_all": "claim all",
    "claim_win": "claim the win",
    "decline": "decline",
    "decline_end": "decline the abandonment",
    "decline_pause": "decline the pause",
    "draw_clan": "draw clan",
    "draw_tactic": "draw tactic",
    "end": "end",
    "games": "games",
    "give": "give 2 days",
    "help": "help",
    "invite": "new game with ann@example.org, 3 days",
    "mail_off": "mail about reminders off",
    "mails": "mails",
    "new_game": "new game, 3 days",
    "no": "no",
    "offer_end": "offer an end",
    "offer_pause": "offer a pause",
    "offer_pause_until": "offer a pause until 24 Dec",
    "pass": "pass",
    "play": "play R7 at 3",
    "play_joker": "play Joker at 5",
    "rematch": "rematch",
    "resign": "resign",
    "resume": "resume",
    "rules": "rules",
    "say": "say:",
    "say_played": "say: well played",
    "show": "show",
    "undo": "undo",
    "vacation": "vacation from 20 Dec to 3 Jan",
    "vacation_until": "vacation until 3 Jan",
    "yes": "yes",
    "zone": "time zone Europe/Berlin",
    # Action text, which has no language.
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
"""The commands that messages teach, by the names of their places."""


def teach(words: Words, message: str, /, **places: object) -> str:
    """Say a message whose further places are commands."""
    commands = {name: COMMANDS[name] for name in _PLACE.findall(message) if name in COMMANDS}
    return words.say(message, **commands, **places)


_GUIDE: Final[Mapping[str, Sequence[str]]] = {
    N_("A turn, each command on its own line"): (
        N_(
            "“%(play)s”, also “%(play_joker)s” or in your own words; then “%(claim)s” or"
            " “%(claim_all)s”, and “%(draw_clan)s” or “%(draw_tactic)s” where you can choose. Else"
            " “%(pass)s” or “%(end)s”."
        ),
        N_(
            "In short: “%(short_play)s” plays, “%(short_claim)s” claims and “%(short_draw)s” draws."
            " Tactic cards: “%(short_move)s” moves, “%(short_discard)s” discards, then"
            " “%(short_banshee)s” and “%(short_traitor)s”; “%(short_recruit)s” draws, and"
            " “%(short_return)s” puts back."
        ),
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
        N_(
            "“%(rules)s” has them in short, “%(help)s” is this list; “%(undo)s” tells what can be"
            " done about a turn. “%(yes)s” or “%(no)s” answers a question; “%(call_off)s” what you"
            " asked for."
        ),
    ),
}


def guide(words: Words) -> dict[str, list[str]]:
    """Return the commands that an answer may hold, as our mails list them: the lines under each
    heading.

    They are in quotation marks, since no line of ours may be read as a command when it is quoted;
    and there are words between any two, since a line may break only there.
    """
    return {
        words.say(title): [teach(words, line) for line in lines] for title, lines in _GUIDE.items()
    }


@dataclass(frozen=True, slots=True)
class PlayerWords:
    """Finds the words of players."""

    languages: Languages
    preferences: MailPreferences

    def of(self, player: str | None) -> Words:
        """Return the words of this player; those of English for somebody without an account."""
        if player is None:
            return ENGLISH
        return self.languages.words(self.preferences.choice(player).language)
