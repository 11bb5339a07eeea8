"""What keeps games for ever: checking them all, backup and restore, records that come in."""
