"""Playing by answering a mail: from the bytes that came in to a turn, and what to answer."""
