"""Pages for reference: the rules, the judge, lessons, puzzles, records from files."""
