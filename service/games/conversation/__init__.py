"""What the two players of a game write to each other, and what each notes for themselves."""
