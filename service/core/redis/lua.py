"""The sources of Lua scripts, each in a file next to the module that runs it."""

from functools import cache
from pathlib import Path


@cache
def script_beside(module: str, name: str) -> str:
    """The source of the script with this name, in the folder of the module's file. Each is read
    once: a process may build its container many times."""
    return Path(module).with_name(f"{name}.lua").read_text()
