"""The local mailbox, the connection to a mail server, and limits on mail that people cause."""
