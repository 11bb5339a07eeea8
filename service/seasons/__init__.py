"""Seasons: leagues in which everybody plays everybody of a division, and whose log anybody can
verify. docs/seasons.md says what the log proves."""
