"""The sources of Lua scripts, each in a file next to the module that runs it."""

from functools import cache
from pathlib import Path
from typing import Any

from redis.commands.core import Script


@cache
def script_beside(module: str, name: str) -> str:
    """The source of the script with this name, in the folder of the module's file."""
    return Path(module).with_name(f"{name}.lua").read_text()


class Lua:
    """The script `name` beside a module, as an attribute of objects that have a `_redis`.

    It is registered there at its first use, after the source of a `library` if it calls one.
    """

    def __init__(self, module: str, name: str, library: str = "") -> None:
        self.source = library + script_beside(module, name)

    def __set_name__(self, owner: type, name: str) -> None:
        self._attribute = name

    def __get__(self, instance: Any, owner: type) -> Script:
        script: Script = instance._redis.register_script(self.source)
        vars(instance)[self._attribute] = script  # found first from now on
        return script
