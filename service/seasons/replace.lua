-- Replace a season's log by the longer one of a backup, or nothing.
--
-- KEYS  the season's log
-- ARGV  the channel for news of the season, the version before, the last event before ('' for
--       none), the events
--
-- Returns 1 once the log holds these events: also where the client library sends the script again.
-- Returns 0, and changes nothing, if the log is at another version or has another last event.

local log, news, before, head = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3]
local FIRST_EVENT = 4

local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
local version = last and tonumber(string.match(last[1], '^%d+')) or 0
local text = last and last[2][2] or ''
if version == #ARGV - FIRST_EVENT + 1 and text == ARGV[#ARGV] then
  return 1
end
if version ~= before or text ~= head then
  return 0
end

redis.call('DEL', log)
for i = FIRST_EVENT, #ARGV do
  redis.call('XADD', log, string.format('%d-0', i - FIRST_EVENT + 1), 'event', ARGV[i])
end
redis.call('PUBLISH', news, '')
return 1
