"""Abandoning a running game by agreement: one player offers it, the other agrees.

An offer is a note beside the game's log that names the seat it comes from. It stands until it is
taken back, declined or agreed to.
"""

from typing import Final

FIELD: Final = "abandonment"
