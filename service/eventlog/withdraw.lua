-- Remove the last events of a game, so that a restore can write others in their place.
--
-- KEYS  the game's log
-- ARGV  the version, a text in its last event, the version that is left
--
-- Returns 1 if they were removed, 0 if the log is another and was left unchanged.

local log, version, head, left = KEYS[1], tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])

if redis.call('TYPE', log).ok ~= 'stream' or version_of(log) ~= version then
  return 0
end
local last = string.format('%d-0', version)
if not string.find(redis.call('XRANGE', log, last, last)[1][2][2], head, 1, true) then
  return 0
end
-- A stream takes no id up to the last one it had, deleted or not: so it is written anew.
local kept = redis.call('XRANGE', log, '-', string.format('%d-0', left))
redis.call('DEL', log)
for _, entry in ipairs(kept) do
  redis.call('XADD', log, entry[1], unpack(entry[2]))
end
return 1
