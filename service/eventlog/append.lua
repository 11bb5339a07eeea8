-- Append the events of one request to a game's log, with all that follows from them, or nothing.
--
-- KEYS  the game's log, answers and side state, its bucket's outbox and deadlines, the mark of a
--       removed game
-- ARGV  game id, channel for news of the game, expected version, number of the first entry, write id,
--       idempotency key ('' for none), its fingerprint, deadline ('' clears it), a text in the last
--       entry so far ('' for any), number of entries, number of changes to the side state, id of an
--       obsolete notice ('' for none) and its latest due time, the entries, then field, text before
--       and text after ('' for none) of each change, then id and due time of each notice
--
-- Returns a tag and a version: 'appended' or 'repeated' with the version after that write; 'reused'
-- or 'conflict' (another version, or another last event) with the current one; 'removed'; or
-- 'side-state-conflict' with the current version, then each field of the side state and its text.
-- A compacted log takes no more events.
--
-- Redis does not roll a script back: whatever can be refused is refused before the first write.

local log, answers, side_state = KEYS[1], KEYS[2], KEYS[3]
local outbox, deadlines, mark = KEYS[4], KEYS[5], KEYS[6]
local game, news, expected, first = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local write, key, fingerprint, deadline = ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local head, events, changes = ARGV[9], tonumber(ARGV[10]), tonumber(ARGV[11])
local obsolete, latest = ARGV[12], ARGV[13]
local FIRST_EVENT = 14
local FIRST_CHANGE = FIRST_EVENT + events
local FIRST_NOTICE = FIRST_CHANGE + 3 * changes

local version, last = version_of(log)
local is_compacted = version > 0 and not last
if is_compacted then
  return { 'conflict', version }
end
local after = first + events - 1

local function entry_id(number)
  return string.format('%d-0', number)
end

-- The client library sends a script again when its answer was lost: the entry tells whose it is.
local function already_written()
  local written = redis.call('XRANGE', log, entry_id(after), entry_id(after))[1]
  return written and written[2][4] == write
end

local function follows()
  return version == expected and (head == '' or string.find(last[2][2], head, 1, true))
end

-- Each answer was given for one event or more, so the last events have at most as many answers; and
-- to these come a few of each seat's for changes of the side state, of which earlier programs kept
-- any number. The field '' is no answer (see change_side_state.lua).
local MOST_ANSWERS, KEPT_EVENTS, MOST_OF_VERSION = 2000, 1000, 100
local function forget_oldest()
  local all, of_version = redis.call('HGETALL', answers), {}
  for i = 1, #all, 2 do
    local answered = all[i] ~= '' and tonumber(string.match(all[i + 1], '^%d+'))
    if answered then
      of_version[answered] = (of_version[answered] or 0) + 1
      if answered <= after - KEPT_EVENTS or of_version[answered] > MOST_OF_VERSION then
        redis.call('HDEL', answers, all[i])
      end
    end
  end
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

if version == 0 and redis.call('EXISTS', mark) == 1 then
  return { 'removed', 0 }
end
if not follows() then
  return { 'conflict', version }
end

for i = FIRST_CHANGE, FIRST_NOTICE - 1, 3 do
  if (redis.call('HGET', side_state, ARGV[i]) or '') ~= ARGV[i + 1] then
    return { 'side-state-conflict', version, unpack(redis.call('HGETALL', side_state)) }
  end
end

for i = 1, events do
  local event = ARGV[FIRST_EVENT + i - 1]
  redis.call('XADD', log, entry_id(first + i - 1), 'event', event, 'write', write)
end

for i = FIRST_CHANGE, FIRST_NOTICE - 1, 3 do
  local field, before, text = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if text ~= before and text == '' then
    redis.call('HDEL', side_state, field)
  elseif text ~= before then
    redis.call('HSET', side_state, field, text)
  end
end
-- Before there was a game, its side state may have had a time to live.
if expected == 0 then
  redis.call('PERSIST', side_state)
end

-- The relays learn of a new first member, on the channel named like the set. Anything later they find
-- when they look for the first.
local function schedule(set, due, member)
  redis.call('ZADD', set, due, member)
  if redis.call('ZRANGE', set, 0, 0)[1] == member then
    redis.call('PUBLISH', set, due)
  end
end

for i = FIRST_NOTICE, #ARGV, 2 do
  schedule(outbox, ARGV[i + 1], ARGV[i])
end

-- Whoever has claimed or postponed it has given it a later time, and finishes it.
local due = obsolete ~= '' and redis.call('ZSCORE', outbox, obsolete)
if due and tonumber(due) <= tonumber(latest) then
  redis.call('ZREM', outbox, obsolete)
end

if deadline == '' then
  redis.call('ZREM', deadlines, game)
else
  schedule(deadlines, deadline, game)
end

if key ~= '' then
  redis.call('HSET', answers, key, string.format('%d %s', after, fingerprint))
  if redis.call('HLEN', answers) > MOST_ANSWERS then
    forget_oldest()
  end
end

-- For those who wait for news of this game. The log has the events even if nobody hears this.
redis.call('PUBLISH', news, '')

return { 'appended', after }
