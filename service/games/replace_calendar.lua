-- Replace one text by another, if it is still there.
--
-- KEYS  the text's key
-- ARGV  the text before ('' for none), the text after
--
-- Returns 1 if the text after is there now. May be repeated.

local found = redis.call('GET', KEYS[1]) or ''
if found == ARGV[2] then
  return 1
end
if found ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
