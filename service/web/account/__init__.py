"""Signing in, devices, tokens, mail, leaving."""
