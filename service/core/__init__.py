"""Shared foundations: settings, errors, ids, timestamps, caches and Redis."""
