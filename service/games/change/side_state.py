"""The fields of the side state of a game, and the packages that write them.

north, south   the seat's standing orders (`orders`)
abandonment    the last offer to abandon the game, open or closed (`agreements.offers`)
pause          the same for an offer to pause the clock; its terms are the end (`open`: none)
challenge      the challenge from which the game may come (`challenges`)
"""

from typing import Final

from engine import SEATS

ABANDONMENT: Final = "abandonment"
PAUSE: Final = "pause"
CHALLENGE: Final = "challenge"
PLAY_FIELDS: Final = (*SEATS, ABANDONMENT, PAUSE)
"""The fields that matter only while the game runs."""
