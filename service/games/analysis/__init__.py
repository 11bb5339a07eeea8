"""What the turns and draws of finished games were worth: asked for, weighed by workers, shown."""
