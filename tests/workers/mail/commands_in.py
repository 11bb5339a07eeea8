"""Whether a line could be taken for a command."""

import re

from engine import RuleBroken, parse_turn

COMMAND = re.compile(r"\s*(play|claim|draw|return|pass|end|resign|show)\b", re.IGNORECASE)


def readable_as_a_command(line: str) -> bool:
    """Whether a reader of mails could take the line, quoted or not, for something to do."""
    bare = line.lstrip("> \t")
    try:
        return bool(parse_turn(bare)) or COMMAND.match(bare) is not None
    except RuleBroken:
        return COMMAND.match(bare) is not None
