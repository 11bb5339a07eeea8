"""What somebody wrote in a mail: its parts, its own lines without what they quote, reports."""
