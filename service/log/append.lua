-- Append the events of one request to a game's log, with all that follows from them, or nothing.
--
-- KEYS  the game's log and answers, its bucket's notices and deadlines
-- ARGV  game id, expected version, write id, idempotency key ('' for none), its fingerprint,
--       deadline ('' clears it), number of events, the events, then id and due time of each notice
--
-- Returns a tag and a version: 'appended' or 'repeated' with the version after that write,
-- 'reused' or 'conflict' with the current one. To a packed log nothing is ever appended.
--
-- Redis does not roll a script back: whatever can be refused is refused before the first write.

local log, answers, notices, deadlines = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local game, expected, write = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local key, fingerprint, deadline = ARGV[4], ARGV[5], ARGV[6]
local events = tonumber(ARGV[7])
local FIRST_EVENT = 8

if redis.call('TYPE', log).ok == 'string' then
  local packed = redis.call('GETRANGE', log, 0, 31)
  return { 'conflict', tonumber(string.match(packed, '^%d+ (%d+) ')) }
end

local version = redis.call('XLEN', log)
local after = expected + events

local function entry_id(number)
  return string.format('%d-0', number)
end

-- The client library sends a script again when its answer was lost: the entry tells whose it is.
local function already_written()
  local entry = redis.call('XRANGE', log, entry_id(after), entry_id(after))[1]
  return entry and entry[2][4] == write
end

if version >= after and already_written() then
  return { 'appended', after }
end

if key ~= '' then
  local answer = redis.call('HGET', answers, key)
  if answer then
    local answered, of = string.match(answer, '^(%d+) (.*)$')
    if of == fingerprint then
      return { 'repeated', tonumber(answered) }
    end
    return { 'reused', version }
  end
end

if version ~= expected then
  return { 'conflict', version }
end

for i = 1, events do
  local event = ARGV[FIRST_EVENT + i - 1]
  redis.call('XADD', log, entry_id(expected + i), 'event', event, 'write', write)
end

for i = FIRST_EVENT + events, #ARGV, 2 do
  redis.call('ZADD', notices, ARGV[i + 1], ARGV[i])
end

if deadline == '' then
  redis.call('ZREM', deadlines, game)
else
  redis.call('ZADD', deadlines, deadline, game)
end

if key ~= '' then
  redis.call('HSET', answers, key, string.format('%d %s', after, fingerprint))
end

return { 'appended', after }
