"""A second, naive model of the game, written from the rulings alone, to hold the engine against."""
