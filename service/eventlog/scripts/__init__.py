"""The Lua scripts that write the event log, one file each."""

from pathlib import Path


def load(name: str) -> str:
    """The source of the script with this name."""
    return Path(__file__).with_name(f"{name}.lua").read_text()
