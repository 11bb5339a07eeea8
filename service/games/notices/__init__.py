"""The notices that a change causes, whom they can reach, and how each player wants them."""
