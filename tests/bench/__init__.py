"""What measures and checks the server from outside is itself right."""
