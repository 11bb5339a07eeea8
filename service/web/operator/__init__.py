"""The pages for the operator of this server."""
