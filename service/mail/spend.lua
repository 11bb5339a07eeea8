-- Count one mail against several budgets, or against none where one of them is used up.
--
-- KEYS  a set for each budget: what was counted against it
-- ARGV  what the mail is about, then for each budget how many it has and for how many seconds
--
-- Returns {0, how many more the scarcest takes}, or the number of a budget that is used up and the
-- seconds until it is renewed.
-- The same thing counts once: a request may be repeated.

local about = ARGV[1]

for i, counted in ipairs(KEYS) do
  local amount = tonumber(ARGV[2 * i])
  if redis.call('SISMEMBER', counted, about) == 0 and redis.call('SCARD', counted) >= amount then
    return { i, math.max(1, redis.call('TTL', counted)) }
  end
end

local left = math.huge
for i, counted in ipairs(KEYS) do
  redis.call('SADD', counted, about)
  left = math.min(left, tonumber(ARGV[2 * i]) - redis.call('SCARD', counted))
  if redis.call('TTL', counted) < 0 then
    redis.call('EXPIRE', counted, ARGV[2 * i + 1])
  end
end
return { 0, left }
