"""Opening a game: its options, the invite, seals, rematches, and the limits."""
