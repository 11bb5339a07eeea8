-- Claim what is due: the claimed members fall due again when the lease ends, unless removed.
--
-- KEYS  a sorted set of members by due time
-- ARGV  now, end of the lease, how many at most
--
-- Returns the claimed members, the longest due first.

local due, now, lease_end, limit = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

local claimed = redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, limit)
for _, member in ipairs(claimed) do
  redis.call('ZADD', due, 'XX', lease_end, member)
end
return claimed
