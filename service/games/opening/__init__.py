"""How a game comes about: what it is made of, the invite, seals, rematches, and the limits."""
