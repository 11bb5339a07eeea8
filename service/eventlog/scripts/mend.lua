-- Put back what falls due because of a game, where it was lost, if the log is at this version.
--
-- KEYS  the game's log, its bucket's notices and deadlines
-- ARGV  game id, version, deadline ('' for none), then id and due time of each notice
--
-- Returns 1 if the log was at this version, else 0, and nothing is changed. Notices that are there
-- keep their time: they may be claimed.

local log, notices, deadlines = KEYS[1], KEYS[2], KEYS[3]
local game, version, deadline = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local current
if redis.call('TYPE', log).ok == 'string' then
  current = tonumber(string.match(redis.call('GETRANGE', log, 0, 31), '^%d+ (%d+) '))
else
  current = redis.call('XLEN', log)
end
if current ~= version then
  return 0
end

if deadline == '' then
  redis.call('ZREM', deadlines, game)
else
  redis.call('ZADD', deadlines, deadline, game)
end
for i = 4, #ARGV, 2 do
  redis.call('ZADD', notices, 'NX', ARGV[i + 1], ARGV[i])
end
return 1
