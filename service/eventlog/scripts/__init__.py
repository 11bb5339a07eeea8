"""The Lua scripts that write the event log, one file each."""

from service.core.redis.lua import script_beside


def load(name: str) -> str:
    """The source of the script with this name."""
    return script_beside(__file__, name)
