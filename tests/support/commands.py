"""Lines of mail that ask for something."""

from functools import cache

from letters.commands import Empty, Unread, read_commands
from letters.mail.body import Text
from letters.mail.lines import read_lines


@cache
def is_command(line: str) -> bool:
    """Whether the line, as the first and only one of an answer, asks for anything."""
    return not isinstance(read_commands(read_lines(Text(line)).lines), Unread | Empty)
