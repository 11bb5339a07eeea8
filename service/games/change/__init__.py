"""How a change to a game is drafted, then written in one append, with its side state."""
