"""Agreements between both players: abandoning the game, pausing its clock."""
