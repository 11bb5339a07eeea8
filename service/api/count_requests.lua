-- Adds to counters that expire, up to the first that exceeds its limit.
--
-- KEYS   the counters
-- ARGV   for each counter: the amount to add, its limit, and the seconds it lives once it begins
--
-- Returns {COUNT, SECONDS LEFT, …} for each counter in turn, up to the first above its limit.
local found = {}
for i, key in ipairs(KEYS) do
  local amount, limit, seconds = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), ARGV[3 * i]
  local count = redis.call('INCRBY', key, amount)
  if count == amount then redis.call('EXPIRE', key, seconds) end
  found[2 * i - 1], found[2 * i] = count, redis.call('TTL', key)
  if count > limit then break end
end
return found
