-- Remove a member whose work is done.
--
-- KEYS  a sorted set of members by due time; if it keeps since when claimed members are due, also
--       the hash of that
-- ARGV  a member

redis.call('ZREM', KEYS[1], ARGV[1])
if KEYS[2] then
  redis.call('HDEL', KEYS[2], ARGV[1])
end
