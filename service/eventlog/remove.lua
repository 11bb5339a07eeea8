-- Remove a game with all that is stored beside its log, and leave a mark in its place.
--
-- KEYS  the game's log, answers, side state, messages and mark, its bucket's outbox, claimed notices
--       and deadlines
-- ARGV  game id, channel for news of the game, expected version ('' for any), moment, words for its
--       players, ids of those in whose lists it is, then id and due time of each notice
--
-- Returns 1 if the game is removed now, or was before; 0 if it is at another version.

local log, answers, side_state, messages, mark = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local outbox, claimed, deadlines = KEYS[6], KEYS[7], KEYS[8]
local game, news, expected = ARGV[1], ARGV[2], ARGV[3]
local FIRST_NOTICE = 7

local is_removed = redis.call('EXISTS', log) == 0 and redis.call('EXISTS', mark) == 1
if not is_removed and expected ~= '' and version_of(log) ~= tonumber(expected) then
  return 0
end

local function is_about_game(notice)
  return string.sub(notice, 1, #game + 1) == game .. '.'
end

-- Whoever read the game before it was removed may have written beside it since.
redis.call('DEL', log, answers, side_state, messages)
redis.call('ZREM', deadlines, game)
if is_removed then
  return 1
end
for _, notice in ipairs(redis.call('ZRANGE', outbox, 0, -1)) do
  if is_about_game(notice) then
    redis.call('ZREM', outbox, notice)
    redis.call('HDEL', claimed, notice)
  end
end
redis.call('HSET', mark, 'at', ARGV[4], 'words', ARGV[5], 'of', ARGV[6])

for i = FIRST_NOTICE, #ARGV, 2 do
  redis.call('ZADD', outbox, ARGV[i + 1], ARGV[i])
  redis.call('PUBLISH', outbox, ARGV[i + 1]) -- to the relays, on the channel named like the set
end
-- For those who wait for news of this game.
redis.call('PUBLISH', news, '')
return 1
