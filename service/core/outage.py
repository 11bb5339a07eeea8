"""The errors raised while the store cannot be reached, for callers that can do without it."""

from typing import Final

from redis.exceptions import RedisClusterException, RedisError

STORE_FAILURE: Final = (RedisError, RedisClusterException)
