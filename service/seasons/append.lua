-- Append the events of one change to a season's log, with the notices that follow, or nothing.
--
-- KEYS  the season's log, the outbox of its bucket
-- ARGV  the channel for news of the season, the version before, a text in the last event ('' for
--       none), number of events, the events, then id and due time of each notice
--
-- Returns 1 once the log holds these events: also where the client library sends the script again,
-- since an event's hash follows from all that it says. Returns 0, and changes nothing, if the log
-- is at another version or has another last event.

local log, outbox = KEYS[1], KEYS[2]
local news, before, head, events = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local FIRST_EVENT = 5
local FIRST_NOTICE = FIRST_EVENT + events
local after = string.format('%d-0', before + events)

local written = redis.call('XRANGE', log, after, after)[1]
if written then
  return written[2][2] == ARGV[FIRST_NOTICE - 1] and 1 or 0
end
local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
local version = last and tonumber(string.match(last[1], '^%d+')) or 0
if version ~= before or (last and not string.find(last[2][2], head, 1, true)) then
  return 0
end

for i = 1, events do
  redis.call('XADD', log, string.format('%d-0', before + i), 'event', ARGV[FIRST_EVENT + i - 1])
end
for i = FIRST_NOTICE, #ARGV, 2 do
  redis.call('ZADD', outbox, ARGV[i + 1], ARGV[i])
  redis.call('PUBLISH', outbox, ARGV[i + 1]) -- to the relays, on the channel named like the set
end
redis.call('PUBLISH', news, '')
return 1
