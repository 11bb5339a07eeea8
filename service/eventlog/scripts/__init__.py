"""The Lua scripts that write the event log, one file each."""

from functools import cache
from pathlib import Path


@cache
def load(name: str) -> str:
    """The source of the script with this name."""
    return Path(__file__).with_name(f"{name}.lua").read_text()
