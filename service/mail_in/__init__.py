"""Play by e-mail: read the bytes of an incoming mail, carry out its turn, and decide what to
answer."""
