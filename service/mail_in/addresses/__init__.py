"""The addresses, each signed, that mail comes in at."""
