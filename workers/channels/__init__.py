"""The ways to a player beside mail, as messages leave the server."""
