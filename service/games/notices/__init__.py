"""Which notices a change gives rise to, whom they can reach, and how each player wants them."""
