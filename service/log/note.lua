-- Change notes beside a game's log, if they say what they are thought to say, or do nothing.
--
-- KEYS  the game's notes and log, its bucket's notices
-- ARGV  seconds that all its notes live ('' for ever), the version at which the log is thought to be
--       ('' for any), number of changes, then field, text before and text after ('' for none) of
--       each change, then id and due time of each notice
--
-- Returns 1 if the notes say now what was wanted, else 0. A change that was made already is not
-- made again: the client library sends a script again when its answer was lost. A packed log is at
-- no version. Where nothing changes the version does not matter: it is as if done before.

local notes, log, notices = KEYS[1], KEYS[2], KEYS[3]
local life, version, changes = ARGV[1], ARGV[2], tonumber(ARGV[3])
local FIRST_CHANGE = 4
local FIRST_NOTICE = FIRST_CHANGE + 3 * changes

local function holds(place)
  for i = FIRST_CHANGE, FIRST_NOTICE - 1, 3 do
    if (redis.call('HGET', notes, ARGV[i]) or '') ~= ARGV[i + place] then
      return false
    end
  end
  return true
end

local function is_at(expected)
  return redis.call('TYPE', log).ok ~= 'string' and redis.call('XLEN', log) == expected
end

local BEFORE, AFTER = 1, 2
if holds(AFTER) then
  return 1
end
if not holds(BEFORE) or (version ~= '' and not is_at(tonumber(version))) then
  return 0
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
return 1
