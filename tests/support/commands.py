"""Lines of mail that ask for something."""

from functools import cache

from service.mail_in.reading.body import Text
from service.mail_in.reading.lines import own_lines
from service.mail_in.words.commands import Empty, Unread, read_commands


@cache
def is_command(line: str) -> bool:
    """Whether the line, as the first and only one of an answer, asks for anything."""
    return not isinstance(read_commands(own_lines(Text(line))), Unread | Empty)
