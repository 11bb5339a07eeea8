"""Changing a game: a change is drafted, then written in one append with the side state."""
