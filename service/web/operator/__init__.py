"""The page of whoever runs this server."""
