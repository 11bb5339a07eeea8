"""What the API reads and answers, as marshmallow schemas."""
