-- Block the name of a deleted account for a while.
--
-- KEYS  one of the name's keys
-- ARGV  the id of the player who had it, what stands in their place, seconds
--
-- Where other players have the same name, it stays theirs.

redis.call('HDEL', KEYS[1], ARGV[1])
if redis.call('HLEN', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], ARGV[2], '0')
  redis.call('EXPIRE', KEYS[1], ARGV[3])
end
return 1
