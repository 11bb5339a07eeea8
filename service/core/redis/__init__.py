"""Connections to Redis, and several queries in one round trip."""
