-- Change notes beside a game's log, if they say what they are thought to say, or do nothing.
--
-- KEYS  the game's notes, its bucket's notices
-- ARGV  seconds that all its notes live ('' for ever), number of changes, then field, text before
--       and text after ('' for none) of each change, then id and due time of each notice
--
-- Returns 1 if the notes say now what was wanted, else 0. A change that was made already is not
-- made again: the client library sends a script again when its answer was lost.

local notes, notices = KEYS[1], KEYS[2]
local life, changes = ARGV[1], tonumber(ARGV[2])
local FIRST_CHANGE = 3
local FIRST_NOTICE = FIRST_CHANGE + 3 * changes

local function holds(place)
  for i = FIRST_CHANGE, FIRST_NOTICE - 1, 3 do
    if (redis.call('HGET', notes, ARGV[i]) or '') ~= ARGV[i + place] then
      return false
    end
  end
  return true
end

local BEFORE, AFTER = 1, 2
if holds(AFTER) then
  return 1
end
if not holds(BEFORE) then
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
