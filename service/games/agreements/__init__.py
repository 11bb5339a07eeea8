"""What both players have to agree to: abandoning the game, pausing its clock."""
