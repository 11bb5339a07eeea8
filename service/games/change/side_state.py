"""The fields of the side state: what is stored beside a game's log, and which package writes it.

north, south   the seat's standing orders (`orders`)
abandonment    the seat that offers to abandon the game (`agreements`); or, once the offer was
               taken back or declined, `told VERSION SEAT`: at that version it is not announced
               again
pause          the seat that offers to pause the clock, and until when (`open`: without an end); or
               `told VERSION SEAT`, as above (`agreements`)
challenge      the challenge that leads to the game, or does not (`challenges`)
"""

from typing import Final

from engine import SEATS

ABANDONMENT: Final = "abandonment"
PAUSE: Final = "pause"
CHALLENGE: Final = "challenge"
PLAY_FIELDS: Final = (*SEATS, ABANDONMENT, PAUSE)
"""The fields that mean nothing once the game is over."""
