"""The Lua scripts that change accounts, one file for each."""

from service.core.redis.lua import script_beside


def load(name: str) -> str:
    """Return the source of the script with this name."""
    return script_beside(__file__, name)
