"""When time is up: what a passed deadline leads to, and what comes before that in fairness."""
