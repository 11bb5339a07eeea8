"""Passed deadlines: their results, and the fairness steps that come first."""
