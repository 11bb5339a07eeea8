-- Record a player's request to another, unless the last one has changed since it was read.
--
-- KEYS  the pair of players, or of a player and an address
-- ARGV  the text so far ('' for none), the new text, for how many seconds it lives
--
-- Returns 1 if the new text is stored, else 0.

if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1
