"""The processes that serve: launcher, supervisor, bundled Redis and web server."""
