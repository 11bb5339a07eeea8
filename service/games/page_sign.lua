-- Store a sign of an open page, unless it is older than the latest one from the same page: when a
-- page is left, its last sign may overtake the one before. Returns the sign before.
-- KEYS: the latest sign, as "SIGN PAGE NUMBER". ARGV: sign, page, number, seconds it holds.
local before = redis.call('GET', KEYS[1]) or ''
local sign, page, number = before:match('^(%a+) (%w*) (%d+)$')
if page == ARGV[2] and tonumber(number) > tonumber(ARGV[3]) then
  return ARGV[1]
end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. ARGV[3], 'EX', ARGV[4])
return sign or ''
