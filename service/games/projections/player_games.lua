-- Let a player's index show a game as it stands, unless it shows a later version already.
--
-- KEYS  after those of the feed (see feed.lua) versions by game, what is known about each, the
--       player and the player's tokens, then the sorted set of each shelf
-- ARGV  game id, version, member, 1 to go back to an earlier version too (else 0), what is known
--       about the game, 1 if there has to be such a player (else 0), 1 if the game is over (else
--       0), then for each shelf 1 (the game stands there) or 0

local versions, about, player, tokens = KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local game, version, member, anew = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'

-- Notices come late, and nothing of a deleted account is written again. One that is being deleted
-- has its tokens to the last: what is begun with them is listed, and ended.
if ARGV[6] == '1' and redis.call('EXISTS', player, tokens) == 0 then
  return 0
end

local shown = tonumber(redis.call('HGET', versions, game) or '0')
if shown >= version and not anew then
  return 0
end

local stands = false
for shelf = 8, #KEYS do
  if ARGV[shelf] == '1' then
    redis.call('ZADD', KEYS[shelf], 0, member)
    stands = true
  else
    redis.call('ZREM', KEYS[shelf], member)
  end
end
if stands then
  redis.call('HSET', versions, game, version)
  redis.call('HSET', about, game, ARGV[5])
else
  -- Taken by somebody else: nothing is kept of it here. An older state that comes after this one
  -- is found out by whoever reads the list.
  redis.call('HDEL', versions, game)
  redis.call('HDEL', about, game)
end
-- What is written anew is no news, except of a game that goes on as far as the feed knows.
local news = not anew or redis.call('HEXISTS', fed, game) == 1
if redis.call('EXISTS', feed) == 1 and news then
  if stands then
    advance(game, version)
  elseif shown > 0 then
    advance(game, math.min(version, 2)) -- who was invited sees what became of the seat
  end
end
if ARGV[7] == '1' or not stands then
  redis.call('HDEL', fed, game)
end
-- For those who wait for news of this player's games.
redis.call('PUBLISH', 'st:news:' .. string.match(versions, '{(.-)}'), '')
return 1
