-- Put a packed log in the place of its stream, unless the log is no longer what was packed.
--
-- KEYS  the game's log, answers and notes, its bucket's deadlines
-- ARGV  game id, the version that was packed, the packed log
--
-- Returns 1 if the log is packed now, 0 if it has changed. Streams only ever grow: one as long as
-- what was packed is the same.

local log, answers, notes, deadlines = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local game, version, packed = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local kind = redis.call('TYPE', log).ok
if kind == 'string' then
  return 1
end
if kind ~= 'stream' or redis.call('XLEN', log) ~= version then
  return 0
end

redis.call('SET', log, packed)
redis.call('DEL', answers, notes)
redis.call('ZREM', deadlines, game)
return 1
