-- Read games of one bucket with all that stands beside their logs, at one moment.
--
-- KEYS  the bucket's notices, then log and notes of each game
--
-- Returns the bucket's notices with their times, then for each game: the type of its log, the
-- entries where that is a stream, its notes, and how many seconds they live (-1 for ever). A packed
-- log is left to be read apart: it never changes.

local found = { redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES') }
for i = 2, #KEYS, 2 do
  local log, notes = KEYS[i], KEYS[i + 1]
  local kind = redis.call('TYPE', log).ok
  local entries = {}
  if kind == 'stream' then
    entries = redis.call('XRANGE', log, '-', '+')
  end
  found[#found + 1] = { kind, entries, redis.call('HGETALL', notes), redis.call('TTL', notes) }
end
return found
