-- Change notes beside a game's log, if they say what they are thought to say, or do nothing.
--
-- KEYS  the game's notes, log and answers, its bucket's notices
-- ARGV  seconds that all its notes live ('' for ever), the version at which the log is thought to be
--       ('' for any), idempotency key ('' for none), its fingerprint, number of changes, then field,
--       text before and text after ('' for none) of each change, then id and due time of each notice
--
-- Returns a tag and a version: 'noted' if the notes say now what was wanted, else 'differs';
-- 'repeated' with the version after the first request under this key, or 'reused'. A change that was
-- made already is not made again: the client library sends a script again when its answer was lost.
-- A packed log is at no version. Where nothing changes the version does not matter: it is as if done
-- before.

local notes, log, answers, notices = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local life, version, key, fingerprint = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local changes = tonumber(ARGV[5])
local FIRST_CHANGE = 6
local FIRST_NOTICE = FIRST_CHANGE + 3 * changes

local function holds(place)
  for i = FIRST_CHANGE, FIRST_NOTICE - 1, 3 do
    if (redis.call('HGET', notes, ARGV[i]) or '') ~= ARGV[i + place] then
      return false
    end
  end
  return true
end

local function is_stream()
  return redis.call('TYPE', log).ok ~= 'string'
end

local function is_at(expected)
  return is_stream() and redis.call('XLEN', log) == expected
end

local function remember()
  if key ~= '' and is_stream() then
    redis.call('HSET', answers, key, string.format('%d %s', redis.call('XLEN', log), fingerprint))
  end
end

if key ~= '' then
  local answer = redis.call('HGET', answers, key)
  if answer then
    local answered, of = string.match(answer, '^(%d+) (.*)$')
    return { of == fingerprint and 'repeated' or 'reused', tonumber(answered) }
  end
end

local BEFORE, AFTER = 1, 2
if holds(AFTER) then
  -- Later this may hold no more: then the request must not be carried out after all.
  remember()
  return { 'noted', 0 }
end
if not holds(BEFORE) or (version ~= '' and not is_at(tonumber(version))) then
  return { 'differs', 0 }
end

for i = FIRST_CHANGE, FIRST_NOTICE - 1, 3 do
  if ARGV[i + AFTER] == '' then
    redis.call('HDEL', notes, ARGV[i])
  else
    redis.call('HSET', notes, ARGV[i], ARGV[i + AFTER])
  end
end
if life == '' then
  redis.call('PERSIST', notes)
else
  redis.call('EXPIRE', notes, life)
end
for i = FIRST_NOTICE, #ARGV, 2 do
  redis.call('ZADD', notices, ARGV[i + 1], ARGV[i])
end
remember()
return { 'noted', 0 }
