"""The ladder's bots against bots of other authors, whose programs are fetched and never copied."""
