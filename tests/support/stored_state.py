"""Everything that a store holds at one moment: to compare, to search, and to put back."""

from dataclasses import dataclass, field

from service.core.redis.client import Client


@dataclass(frozen=True)
class StoredState:
    """The values of all keys, as Redis dumps them. Two states are equal whatever the lifetimes."""

    values: dict[str, bytes]
    lifetimes: dict[str, int] = field(compare=False)
    """Milliseconds, 0 for keys that do not expire."""

    @classmethod
    def of(cls, redis: Client) -> "StoredState":
        """What this store holds now."""
        keys = sorted(redis.scan_iter())
        with redis.pipeline(transaction=False) as pipeline:
            for key in keys:
                pipeline.dump(key).pttl(key)
            found = pipeline.execute()
        lifetimes = [max(life, 0) for life in found[1::2]]
        return cls(
            dict(zip(keys, found[::2], strict=True)), dict(zip(keys, lifetimes, strict=True))
        )

    def put_back(self, redis: Client) -> None:
        """Let the store hold this and nothing else."""
        with redis.pipeline(transaction=False) as pipeline:
            pipeline.flushall()
            for key, value in self.values.items():
                pipeline.restore(key, self.lifetimes[key], value)
            pipeline.execute()

    def changed(self, other: "StoredState") -> set[str]:
        """The keys that only one of the two states has, or whose values differ."""
        keys = self.values.keys() | other.values.keys()
        return {key for key in keys if self.values.get(key) != other.values.get(key)}


def stored_text(redis: Client) -> str:
    """All keys and values of a store, of every type, as one text to search."""
    readers = {
        "string": redis.get,
        "hash": redis.hgetall,
        "list": lambda key: redis.lrange(key, 0, -1),
        "set": redis.smembers,
        "zset": lambda key: redis.zrange(key, 0, -1, withscores=True),
        "stream": redis.xrange,
    }
    return "\n".join(f"{key} {readers[redis.type(key)](key)}" for key in redis.scan_iter())
