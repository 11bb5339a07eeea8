"""Analyses of finished games: workers weigh each turn and draw on request."""
