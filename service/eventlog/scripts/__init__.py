"""The Lua scripts that write the event log, one file each."""

from service.core.redis.client import Lua, script_beside


def load(name: str) -> Lua:
    """The script with this name, after the function that it may ask for a version."""
    asks = "version_of(" in script_beside(__file__, name)
    return Lua(__file__, name, script_beside(__file__, "version") if asks else "")
