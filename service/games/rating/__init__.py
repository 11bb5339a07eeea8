"""Ratings: the algorithm, and the rule by which games count. docs/ratings.md says it in words."""
