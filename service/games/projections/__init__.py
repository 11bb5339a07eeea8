"""What follows from the logs: lists of games and feeds. Losing them loses nothing."""
