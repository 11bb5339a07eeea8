"""Games as their readers may see them: one game, its history, lists, and an overview."""
