"""What every part stands on: settings, errors, ids, timestamps, caches and Redis."""
