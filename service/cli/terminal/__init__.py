"""`scottenbury play`: games of any server, line by line, also in a pipe."""
