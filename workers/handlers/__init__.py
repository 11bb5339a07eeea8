"""What a notice asks for, a module for each kind."""
