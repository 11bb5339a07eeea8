"""The pages of a player's account: signing in, devices, tokens, mail, leaving."""
