-- Put back lost notices and the deadline of a game, if its log is at this version.
--
-- KEYS  the game's log, its bucket's outbox and deadlines
-- ARGV  game id, version, deadline ('' for none), then id and due time of each notice
--
-- Returns 1 if the log is at this version. Otherwise returns 0 and changes nothing. Notices that are
-- still there keep their time: they may be claimed.

local log, outbox, deadlines = KEYS[1], KEYS[2], KEYS[3]
local game, version, deadline = ARGV[1], tonumber(ARGV[2]), ARGV[3]

if version_of(log) ~= version then
  return 0
end

if deadline == '' then
  redis.call('ZREM', deadlines, game)
else
  redis.call('ZADD', deadlines, deadline, game)
  redis.call('PUBLISH', deadlines, deadline) -- to the relays, on the channel named like the set
end
for i = 4, #ARGV, 2 do
  redis.call('ZADD', outbox, 'NX', ARGV[i + 1], ARGV[i])
  redis.call('PUBLISH', outbox, ARGV[i + 1])
end
return 1
