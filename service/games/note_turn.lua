-- Store parts of an analysis, if it is still wanted.
-- KEYS: the analysis. ARGV: the method it was begun with, then fields and values.
-- Returns 1, or 0 if it has expired, or the game was removed, or another method is in use.
if redis.call('HGET', KEYS[1], 'method') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
return 1
