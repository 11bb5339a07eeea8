"""Mail as it leaves the server."""
