"""Accounts: players and their names, addresses, tokens, sessions and preferences."""
