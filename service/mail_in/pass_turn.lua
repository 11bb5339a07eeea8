-- Pass the turn to fetch mail on, or extend it, if its holder has it still.
--
-- KEYS  the turn
-- ARGV  the holder, the next holder, and for how many milliseconds; 0: the turn is free at once
--
-- Returns 1, or 0 if somebody else has the turn.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
if ARGV[3] == '0' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return 1
