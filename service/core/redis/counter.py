"""The counter of limits on what somebody may cause within a time."""

from service.core.redis.client import Client


def counted(redis: Client, key: str, seconds: int, amount: int = 1) -> int:
    """Count something under this key; return the sum since the first count, for `seconds` after
    it."""
    with redis.pipeline(transaction=True) as pipeline:
        pipeline.set(key, 0, nx=True, ex=seconds)
        pipeline.incrby(key, amount)
        return int(pipeline.execute()[1])
