"""Players' calendars: sleeping hours and vacations, which do not count in any of their games."""
