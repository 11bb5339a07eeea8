"""The signed addresses at which mail comes in."""
