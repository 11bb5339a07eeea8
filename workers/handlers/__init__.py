"""What a job does, a module for each kind."""
