-- Replace a log's stream by its compacted form, unless the log has grown since it was read.
--
-- KEYS  the game's log, answers and side state, its bucket's deadlines
-- ARGV  game id, the version that was compacted, the compacted log
--
-- Returns 1 if the log is compacted now, 0 if it has changed. Streams only ever grow, so their
-- length shows a change.

local log, answers, side_state, deadlines = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local game, version, compacted = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local kind = redis.call('TYPE', log).ok
if kind == 'string' then
  return 1
end
if kind ~= 'stream' or version_of(log) ~= version then
  return 0
end

redis.call('SET', log, compacted)
redis.call('DEL', answers, side_state)
redis.call('ZREM', deadlines, game)
return 1
