"""Processes that die at the worst moment, and what is left to be recovered."""
