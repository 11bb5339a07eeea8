"""An operator's work on the whole store: check, back up, restore, import, rebuild."""
