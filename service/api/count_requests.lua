-- Adds to counters that expire, and tells when each ends.
--
-- KEYS   the counters
-- ARGV   the amount to add; then, for each counter, the seconds it lives once it begins
--
-- Returns {COUNT, SECONDS LEFT, …}, for each counter in turn.
local found = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCRBY', key, ARGV[1])
  if count == tonumber(ARGV[1]) then redis.call('EXPIRE', key, ARGV[i + 1]) end
  found[2 * i - 1], found[2 * i] = count, redis.call('TTL', key)
end
return found
