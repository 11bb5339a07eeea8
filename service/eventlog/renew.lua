-- Renew the lease of a claimed member, unless it was finished, postponed or claimed by another.
--
-- KEYS  a sorted set of members by due time
-- ARGV  a member, the end of its lease, the end of the next one
--
-- Returns 1 if the lease now lasts until then, else 0. A lease that is cut short is published on the
-- channel named like the set.

local due = KEYS[1]
local member, lease_end, next_end = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local current = tonumber(redis.call('ZSCORE', due, member) or '')
if current == lease_end then
  redis.call('ZADD', due, 'XX', ARGV[3], member)
  if next_end < lease_end then
    redis.call('PUBLISH', due, ARGV[3])
  end
  return 1
end
-- The client library sends a script again when its answer was lost.
return current == next_end and 1 or 0
