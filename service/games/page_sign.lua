-- Store a sign of an open page, unless it is older than the latest one from the same page: when a
-- page is left, its last sign may overtake the one before. Returns the sign before.
-- KEYS: the latest sign, as "SIGN PAGE NUMBER SEEN VISIBILITY", where SEEN is the last moment at
-- which a page was in sight. ARGV: sign, page, number, seconds it holds, now, visibility.
local before = redis.call('GET', KEYS[1]) or ''
local sign, page, number, seen = before:match('^(%a+) (%w*) (%d+) (%d+) %a+$')
if page == ARGV[2] and tonumber(number) > tonumber(ARGV[3]) then
  return ARGV[1]
end
if ARGV[1] ~= 'away' or (page == ARGV[2] and sign ~= 'away') then
  seen = ARGV[5]
end
local text = table.concat({ ARGV[1], ARGV[2], ARGV[3], seen or '0', ARGV[6] }, ' ')
redis.call('SET', KEYS[1], text, 'EX', ARGV[4])
return sign or ''
