"""The page of a game: board, turn, free seat, replay, plans."""
