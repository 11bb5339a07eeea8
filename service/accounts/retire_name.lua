-- Block the name of a deleted account for a while.
--
-- KEYS  one of the name's keys
-- ARGV  the id of the player who had it, the text to replace it, seconds
--
-- If other players have the same name, they keep it.

redis.call('HDEL', KEYS[1], ARGV[1])
if redis.call('HLEN', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], ARGV[2], '0')
  redis.call('EXPIRE', KEYS[1], ARGV[3])
end
return 1
