"""The fields of the side state: what is stored beside a game's log, and which package writes it.

north, south   the seat's standing orders (`orders`)
abandonment    the last offer to abandon the game, and whether it stands (`agreements.offers`)
pause          the same of an offer to pause the clock, whose terms are until when (`open`: without
               an end)
challenge      the challenge that leads to the game, or does not (`challenges`)
"""

from typing import Final

from engine import SEATS

ABANDONMENT: Final = "abandonment"
PAUSE: Final = "pause"
CHALLENGE: Final = "challenge"
PLAY_FIELDS: Final = (*SEATS, ABANDONMENT, PAUSE)
"""The fields that mean nothing once the game is over."""
