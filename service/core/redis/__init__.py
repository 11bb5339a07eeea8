"""Connections to Redis, and several questions in one round trip."""
