"""The fields of the notes beside a game's log: what each holds, and which module writes it.

north, south   the seat's standing orders (`orders`)
abandonment    the seat from which it is offered to abandon the game; or, once that was taken back
               or declined, `told VERSION SEAT`: there it is not told again (`abandonment`)
challenge      what leads to the game, or does not (`challenges`)
"""

from typing import Final

from engine import SEATS

ABANDONMENT: Final = "abandonment"
CHALLENGE: Final = "challenge"
OF_PLAY: Final = (*SEATS, ABANDONMENT)
"""Those that mean nothing once the game is over."""
