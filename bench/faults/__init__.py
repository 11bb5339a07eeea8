"""Whether a server loses, doubles, leaks or forgets anything while it suffers every mishap."""
