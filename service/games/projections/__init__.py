"""Projections of the logs: lists of games and feeds. They can be rebuilt at any time."""
