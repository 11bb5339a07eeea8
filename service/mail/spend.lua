-- Count one mail against several budgets, or against none where one of them is used up.
--
-- KEYS  a set for each budget: what was counted against it
-- ARGV  what the mail is about, then for each budget how many it has and for how many seconds
--
-- Returns {0, the seconds until a budget that this mail used up is renewed, 0 if it used up none}, or
-- the number of a budget that was used up before and the seconds until that is renewed.
-- The same thing counts once: a request may be repeated.

local about = ARGV[1]

for i, counted in ipairs(KEYS) do
  local amount = tonumber(ARGV[2 * i])
  if redis.call('SISMEMBER', counted, about) == 0 and redis.call('SCARD', counted) >= amount then
    return { i, math.max(1, redis.call('TTL', counted)) }
  end
end

local rest = 0
for i, counted in ipairs(KEYS) do
  redis.call('SADD', counted, about)
  if redis.call('TTL', counted) < 0 then
    redis.call('EXPIRE', counted, ARGV[2 * i + 1])
  end
  if redis.call('SCARD', counted) >= tonumber(ARGV[2 * i]) then
    rest = math.max(rest, 1, redis.call('TTL', counted))
  end
end
return { 0, rest }
