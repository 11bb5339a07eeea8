-- Adds to counters that expire, up to the first that exceeds its limit.
--
-- KEYS   the counters
-- ARGV   for each counter: the amount to add, its limit, the seconds it lives once it begins, and
--        '', or whoever takes one of LIMIT places there until SECONDS after their last request
--
-- Returns {COUNT, SECONDS LEFT, …} for each counter in turn, up to the first above its limit. The
-- count of places is 0 for those who have one, and the limit for others.
local found = {}
for i, key in ipairs(KEYS) do
  local amount, limit, seconds, holder = unpack(ARGV, 4 * i - 3, 4 * i)
  local count = 0
  if holder == '' then
    count = redis.call('INCRBY', key, amount)
    if count == tonumber(amount) then redis.call('EXPIRE', key, seconds) end
  else
    local now = redis.call('TIME')[1]
    redis.call('ZREMRANGEBYSCORE', key, 0, now - seconds)
    if redis.call('ZSCORE', key, holder) or redis.call('ZCARD', key) < tonumber(limit) then
      redis.call('ZADD', key, now, holder)
      redis.call('EXPIRE', key, seconds)
    else
      count = tonumber(limit)
    end
  end
  found[2 * i - 1], found[2 * i] = count, redis.call('TTL', key)
  if count > tonumber(limit) then break end
end
return found
