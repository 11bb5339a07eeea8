-- Change fields of a game's side state if they hold what the caller expects, or do nothing.
--
-- KEYS  the game's side state, log and answers, its bucket's outbox
-- ARGV  seconds for which the side state lives ('' for ever), expected version of the log ('' for
--       any), idempotency key ('' for none), its fingerprint, its scope, number of changes, then
--       field, text before and text after ('' for none) of each change, then id and due time of
--       each notice
--
-- Returns a tag and a version: 'changed' if the fields hold the new texts now; 'repeated' with the
-- version after the first request under this key; 'reused'; 'conflict' with the log's version, where
-- that is not the expected one (a compacted log counts as at no version); or 'side-state-conflict',
-- a version, then each field of the side state and its text.
--
-- A change that was made already is not made again, at whatever version: the client library sends a
-- script again when its answer was lost.

local side_state, log, answers, outbox = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local life, expected, key, fingerprint = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local scope, changes = ARGV[5], tonumber(ARGV[6])
local FIRST_CHANGE = 7
local FIRST_NOTICE = FIRST_CHANGE + 3 * changes
local BEFORE, AFTER = 1, 2

local function holds(offset)
  for i = FIRST_CHANGE, FIRST_NOTICE - 1, 3 do
    if (redis.call('HGET', side_state, ARGV[i]) or '') ~= ARGV[i + offset] then
      return false
    end
  end
  return true
end

local compacted = redis.call('TYPE', log).ok == 'string'
local version = version_of(log)

-- An append takes a place in the log for each answer, a change of the side state none: of its keys
-- the last ones of each scope are kept. The field '', which is no key, lists them, the oldest first:
-- length of scope and key, then both.
local MOST_KEYS = 20
local function list_key()
  local list = redis.call('HGET', answers, '') or ''
  local entries, own, at = {}, 0, 1
  while at <= #list do
    local head, of, length = string.match(list, '^((%d+):(%d+):)', at)
    local first = at + #head
    at = first + of + length
    local entry = { string.sub(list, first, first + of - 1), string.sub(list, first + of, at - 1) }
    entries[#entries + 1] = entry
    own = own + (entry[1] == scope and 1 or 0)
  end
  entries[#entries + 1] = { scope, key }
  local kept = {}
  for _, entry in ipairs(entries) do
    if entry[1] == scope and own >= MOST_KEYS then
      own = own - 1
      redis.call('HDEL', answers, entry[2])
    else
      kept[#kept + 1] = string.format('%d:%d:', #entry[1], #entry[2]) .. entry[1] .. entry[2]
    end
  end
  redis.call('HSET', answers, '', table.concat(kept))
end

local function store_answer()
  if key ~= '' and not compacted then
    redis.call('HSET', answers, key, string.format('%d %s', version, fingerprint))
    list_key()
  end
end

if key ~= '' then
  local answer = redis.call('HGET', answers, key)
  if answer then
    local answered, of = string.match(answer, '^(%d+) (.*)$')
    return { of == fingerprint and 'repeated' or 'reused', tonumber(answered) }
  end
end

if holds(AFTER) then
  -- The fields may change again later: a repetition of this request must not change them back.
  store_answer()
  return { 'changed', version }
end
if expected ~= '' and (compacted or version ~= tonumber(expected)) then
  return { 'conflict', version }
end
if not holds(BEFORE) then
  return { 'side-state-conflict', version, unpack(redis.call('HGETALL', side_state)) }
end

for i = FIRST_CHANGE, FIRST_NOTICE - 1, 3 do
  if ARGV[i + AFTER] == '' then
    redis.call('HDEL', side_state, ARGV[i])
  else
    redis.call('HSET', side_state, ARGV[i], ARGV[i + AFTER])
  end
end
if life == '' then
  redis.call('PERSIST', side_state)
else
  redis.call('EXPIRE', side_state, life)
end
for i = FIRST_NOTICE, #ARGV, 2 do
  redis.call('ZADD', outbox, ARGV[i + 1], ARGV[i])
  redis.call('PUBLISH', outbox, ARGV[i + 1]) -- to the relays, on the channel named like the set
end
store_answer()
return { 'changed', version }
