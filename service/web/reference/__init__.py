"""What can be looked up: the rules, the judge, records from files."""
