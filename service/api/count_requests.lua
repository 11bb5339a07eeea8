-- Adds to counters that expire, and tells when each ends.
--
-- KEYS   the counters
-- ARGV   the amount to add; the most that the first may come to for the others to be counted too;
--        then, for each counter, the seconds it lives once it begins
--
-- Returns {COUNT, SECONDS LEFT, …}, for each counter in turn.
local found = {}
for i, key in ipairs(KEYS) do
  local count
  if i == 1 or found[1] <= tonumber(ARGV[2]) then
    count = redis.call('INCRBY', key, ARGV[1])
    if count == tonumber(ARGV[1]) then redis.call('EXPIRE', key, ARGV[i + 2]) end
  else
    count = tonumber(redis.call('GET', key) or '0')
  end
  found[2 * i - 1], found[2 * i] = count, redis.call('TTL', key)
end
return found
