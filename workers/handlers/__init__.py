"""Handlers that carry out notices, one module for each kind."""
