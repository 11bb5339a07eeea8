-- Read games of one bucket, with all that is stored beside their logs, at one moment.
--
-- KEYS  the bucket's outbox, then log and side state of each game
--
-- Returns the bucket's notices with their times, then for each game: the type of its log, the
-- entries where that is a stream, its side state, and how many seconds that lives (-1 for ever). A
-- compacted log never changes, so the caller reads it separately.

local found = { redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES') }
for i = 2, #KEYS, 2 do
  local log, side_state = KEYS[i], KEYS[i + 1]
  local kind = redis.call('TYPE', log).ok
  local entries = {}
  if kind == 'stream' then
    entries = redis.call('XRANGE', log, '-', '+')
  end
  local fields, life = redis.call('HGETALL', side_state), redis.call('TTL', side_state)
  found[#found + 1] = { kind, entries, fields, life }
end
return found
