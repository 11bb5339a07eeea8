"""Ratings: the algorithm, and the rule by which games count. docs/ratings.md explains both."""
