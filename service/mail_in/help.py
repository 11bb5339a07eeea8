"""The commands that an answer may hold, as our mails list them.

They are in quotation marks, since no line of ours may be read as a command when it is quoted; and
there are words between any two, since a line may break only there.
"""

from collections.abc import Mapping, Sequence
from typing import Final

HELP: Final[Mapping[str, Sequence[str]]] = {
    "A turn, each command on its own line": (
        "“play R7 at 3”, also “play Joker at 5” or in your own words; then “claim 3” or “claim"
        " all”, and “draw clan” or “draw tactic” where you can choose. Else “pass” or “end”.",
        "In short: “R7@3” plays, “!3” claims and “+C” draws. Tactic cards: “STR:R7@3>5” moves,"
        " “STR:R7@3>x” discards, then “BAN:G4@2” and “TRA:G4@2>6”; “REC:CCT” draws, and “-R1,JOK”"
        " puts back.",
        "“say: well played”, below the turn or alone, writes to the other player.",
    ),
    "About a game, alone in a mail": (
        "“show” has the board sent. “give 2 days” gives the other player time. “offer a pause until"
        " 24 Dec” or “offer an end” asks them; you answer with “agree” or “decline”. “resume” ends"
        " a pause.",
        "“resign”, or “claim the win” once their time is out. When it is over: “rematch”.",
    ),
    "About all of them": (
        "“games” lists yours. “new game with ann@example.org, 3 days” invites, a player by name"
        " too; “new game, 3 days” gets a link to pass on.",
        "“vacation from 20 Dec to 3 Jan” or “vacation until 3 Jan”, and “back” once you are. Also"
        " “time zone Europe/Berlin”, and “mails” with “mail about reminders off”.",
        "“rules” has them in short, “help” is this list; “undo” tells what can be done about a"
        " turn. “yes” or “no” answers a question of ours; “call it off” what you asked for.",
    ),
}
"""The lines under each heading."""
