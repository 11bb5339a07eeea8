"""What an operator does with the whole store: check, back up, restore, import, rebuild."""
