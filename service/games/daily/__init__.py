"""The deal of the day: everybody plays the same cards against the same bot."""
