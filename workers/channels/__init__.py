"""Sends messages on players' channels: the ways to reach a player besides mail."""
