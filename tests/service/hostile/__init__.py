"""What an attacker sends, and what it must not lead to."""
