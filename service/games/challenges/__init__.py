"""Challenging a player to a game."""
