"""The messages of a game's two players, and each player's private notes."""
