"""The Lua scripts that write the event log, one file each."""

from service.core.redis.lua import script_beside


def load(name: str) -> str:
    """The source of the script with this name, after the function that it may ask for a version."""
    source = script_beside(__file__, name)
    return script_beside(__file__, "version") + source if "version_of(" in source else source
