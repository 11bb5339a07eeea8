"""Pictures of cards, Stones and flags as SVG: one source for every page and mail."""
