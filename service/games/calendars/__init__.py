"""When a player's time does not count in any of their games: sleeping hours and vacations."""
