"""Every word that an answer may hold, as our mails list them: in quotation marks, for no line of
ours may be read as a command when it is quoted."""

from collections.abc import Mapping
from typing import Final

RUSES: Final[Mapping[str, str]] = {
    "STR": "“STR:R7@3>5”, with the Strategist: your Red 7 at Stone 3 goes to Stone 5;"
    " “STR:R7@3>x” discards it.",
    "BAN": "“BAN:G4@2”, with the Banshee: the other player's Green 4 at Stone 2 is discarded.",
    "TRA": "“TRA:G4@2>6”, with the Traitor: the other player's Green 4 at Stone 2 goes to your side"
    " of Stone 6.",
    "REC": "“REC:CCT”, with the Recruiter: you get two Clan cards and a Tactic card. Then two cards"
    " go back under their decks, as in “-R1,JOK”.",
}
"""How each Tactic card is written that is put on no Stone."""
HELP: Final = (
    "“play R7 at 3”: the Red 7 goes to Stone 3. A card has its code or its name, as in"
    " “play Joker at 5”.",
    "“claim 3”, or several: “claim 3, 5”, or “claim all”. Each has to be proven.",
    "“draw clan” or “draw tactic”: the deck to draw from, after the card.",
    "“pass”, as the first line: no card is played.",
    "“end”, as the first line: the turn ends where there is nothing to draw."
    " “R7@3 done”: then it ends.",
    *RUSES.values(),
    "Such action text, without spaces, may stand for the rest too: “R7@3”, “!3”, “+C”.",
    "“say: well played”, below the turn or alone: these words are passed on to the other player."
    " Each line that is passed on begins like that.",
    "“yes” or “no”, alone: your answer to a question of ours.",
    "“show”, alone: the game as it stands. “help”, alone: this list.",
    "“resign”, alone: we ask once more before it counts.",
    "“claim the win”, alone, once the other player's time is out and the win is yours to claim:"
    " we ask once more before it counts.",
    "“give 2 days”, alone: the other player has so much more time; also “give 12 hours”.",
    "“agree” or “decline”, alone: your answer to a pause that is offered to you, or to an offer to"
    " abandon the game, of which we ask once more; where both are offered, “agree to the pause” or"
    " “agree to abandon the game”.",
    "You may write it in your own words too, as in “I'll put the red seven on stone 3, please”.",
    "A turn is played as a whole or not at all, and not at all where a line is no command, or"
    " where a word takes it back.",
)
