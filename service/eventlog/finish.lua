-- Remove a member whose work is done.
--
-- KEYS  a sorted set of members by due time; optionally the hash of the original due times of
--       claimed members
-- ARGV  a member

redis.call('ZREM', KEYS[1], ARGV[1])
if KEYS[2] then
  redis.call('HDEL', KEYS[2], ARGV[1])
end
