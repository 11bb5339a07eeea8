-- Adds to counters that expire, up to the first that exceeds its limit.
--
-- KEYS   the counters
-- ARGV   the amount to add; then, for each counter, its limit and the seconds it lives once it begins
--
-- Returns {COUNT, SECONDS LEFT, …} for each counter in turn, up to the first above its limit.
local found = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCRBY', key, ARGV[1])
  if count == tonumber(ARGV[1]) then redis.call('EXPIRE', key, ARGV[2 * i + 1]) end
  found[2 * i - 1], found[2 * i] = count, redis.call('TTL', key)
  if count > tonumber(ARGV[2 * i]) then break end
end
return found
