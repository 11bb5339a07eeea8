"""Mail as players and strangers may cause it."""
