-- Add a member with a due time, or move an existing one, and wake the relays.
--
-- KEYS  a sorted set of members by due time; optionally the hash of the original due times of
--       claimed members
-- ARGV  a member, its time, 'NX' to leave a member that is there as it is, or 'XX' to add none
--
-- Every script that gives a member a time publishes it on the channel named like the set.

local due, since = KEYS[1], KEYS[2]
local member, at, mode = ARGV[1], ARGV[2], ARGV[3]

redis.call('ZADD', due, mode, at, member)
if since and mode == 'XX' then
  redis.call('HDEL', since, member)
end
redis.call('PUBLISH', due, at)
