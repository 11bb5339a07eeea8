-- Update a player's index to a version of a game, unless it has a later one.
--
-- KEYS  after those of the feed (see feed.lua) versions by game, what is known about each, the
--       player and the player's tokens, then the sorted set of each list, that of all games first
-- ARGV  game id, version, member, 1 to go back to an earlier version too (else 0), what is known
--       about the game, 1 if there has to be such a player (else 0), 1 if the game is over (else
--       0), then the channel for news of the player, then for each list 1 (the game is in it) or 0;
--       at the end, if a list is to keep its newest games alone, how many, and which (0: the first)

local versions, about, player, tokens = KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local game, version, member, replace = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'

-- Notices come late, and nothing of a deleted account is written again. An account that is being
-- deleted keeps its tokens to the last, so games begun with them are listed, and ended.
if ARGV[6] == '1' and redis.call('EXISTS', player, tokens) == 0 then
  return 0
end

local indexed = tonumber(redis.call('HGET', versions, game) or '0')
if indexed >= version and not replace then
  return 0
end

local is_listed = false
for list = 8, #KEYS do
  if ARGV[list + 1] == '1' then
    redis.call('ZADD', KEYS[list], 0, member)
    is_listed = true
  else
    redis.call('ZREM', KEYS[list], member)
  end
end
if is_listed then
  redis.call('HSET', versions, game, version)
  redis.call('HSET', about, game, ARGV[5])
else
  -- Somebody else took the seat, so nothing is kept of the game here. If an older version is
  -- applied after this one, reading the list corrects it.
  redis.call('HDEL', versions, game)
  redis.call('HDEL', about, game)
end
local most, bounded = tonumber(ARGV[#KEYS + 2]), KEYS[8 + tonumber(ARGV[#KEYS + 3] or '0')]
if most then
  for _, oldest in ipairs(redis.call('ZRANGE', bounded, 0, -most - 1)) do
    local dropped = string.match(oldest, '[^.]+$')
    redis.call('ZREM', bounded, oldest)
    redis.call('ZREM', KEYS[8], oldest)
    redis.call('HDEL', versions, dropped)
    redis.call('HDEL', about, dropped)
  end
end
-- Rebuilding the index is no news, except of a game that goes on as far as the feed knows.
local news = not replace or redis.call('HEXISTS', fed, game) == 1
if redis.call('EXISTS', feed) == 1 and news then
  if is_listed then
    advance(game, version)
  elseif indexed > 0 then
    advance(game, math.min(version, 2)) -- an invited player sees what became of the seat
  end
end
if ARGV[7] == '1' or not is_listed then
  redis.call('HDEL', fed, game)
end
-- For those who wait for news of this player's games.
redis.call('PUBLISH', ARGV[8], '')
return 1
