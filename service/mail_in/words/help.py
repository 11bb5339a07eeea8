"""Every word that an answer may hold, as our mails list them: in quotation marks, for no line of
ours may be read as a command when it is quoted."""

from typing import Final

HELP: Final = (
    "“play R7 at 3”: the Red 7 goes to Stone 3. A card has its code or its name, as in"
    " “play Joker at 5”.",
    "“claim 3”, or several: “claim 3, 5”. Each has to be proven.",
    "“draw clan” or “draw tactic”: the deck to draw from, after the card.",
    "“pass”, as the first line: no card is played.",
    "“end”, as the first line: the turn ends where there is nothing to draw.",
    "Action text does the same, and all the rest: “R7@3”, “!3”, “+C”, “STR:R7@3>5”,"
    " “BAN:G4@2”, “TRA:G4@2>6”, “REC:CCT”, “-R1,JOK”.",
    "“say: well played”, below the turn or alone: these words are passed on to the other player."
    " Each line that is passed on begins like that.",
    "“show”, alone: the game as it stands. “help”, alone: this list.",
    "“resign”, alone: we ask once more before it counts.",
    "“claim the win”, alone, once the other player's time is out and the win is yours to claim:"
    " we ask once more before it counts.",
    "“give 2 days”, alone: the other player has so much more time; also “give 12 hours”.",
    "“agree” or “decline”, alone: your answer to a pause that is offered to you, or to an offer to"
    " abandon the game, of which we ask once more; where both are offered, “agree to the pause” or"
    " “agree to abandon the game”.",
    "A turn is played as a whole or not at all, and not at all where a line is no command.",
)
