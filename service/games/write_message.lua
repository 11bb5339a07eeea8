-- Add a message to those of a game, and a notice for its reader, or do nothing.
--
-- KEYS  the game's messages, its bucket's outbox and claimed notices
-- ARGV  the writer's seat, the reader's, the message, digest of the key it is written under, the
--       request's fingerprint, how many messages are kept, now, seconds until the notice falls due,
--       seconds between two of them, and a notice's id before and after the message's number ('' and
--       '' if nobody can be notified)
--
-- Returns a tag and a number: 'said' or 'repeated' with the message's, 'reused' for a key of another
-- request; or 'off' and the seat that has turned messages off.
--
-- A waiting notice will include this message. A claimed one may be on its way without it.

local messages, outbox, claimed = KEYS[1], KEYS[2], KEYS[3]
local writer, reader, message, key, fingerprint = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local kept, now, settle, pause = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local before, after = ARGV[10], ARGV[11]

local known = redis.call('HGET', messages, 'key:' .. key)
if known then
  local number, of = string.match(known, '^(%d+) (.*)$')
  return { of == fingerprint and 'repeated' or 'reused', tonumber(number) }
end

for _, seat in ipairs({ reader, writer }) do
  if redis.call('HEXISTS', messages, 'off:' .. seat) == 1 then
    return { 'off', seat }
  end
end

local number = redis.call('HINCRBY', messages, 'last', 1)
redis.call('HSET', messages, number, message, 'key:' .. key, number .. ' ' .. fingerprint)
redis.call('HINCRBY', messages, 'unread:' .. reader, 1)

local oldest = redis.call('HGET', messages, number - kept)
if oldest then
  local of = string.match(oldest, '^{"key":"(%x+)"')
  redis.call('HDEL', messages, number - kept, 'key:' .. (of or ''))
end

if before ~= '' then
  local waiting = redis.call('HGET', messages, 'notice:' .. reader)
  local waits = waiting and redis.call('ZSCORE', outbox, waiting)
    and redis.call('HEXISTS', claimed, waiting) == 0
  if not waits then
    local notice = before .. number .. after
    local last_due = tonumber(redis.call('HGET', messages, 'due:' .. reader) or '0')
    local due = math.floor(math.max(now + settle, math.min(last_due + pause, now + settle + pause)))
    redis.call('ZADD', outbox, due, notice)
    redis.call('PUBLISH', outbox, due) -- to the relays, on the channel named like the set
    redis.call('HSET', messages, 'notice:' .. reader, notice, 'due:' .. reader, due)
  end
end
return { 'said', number }
