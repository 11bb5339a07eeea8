-- Let a player's index show a game as it stands, unless it shows a later version already.
--
-- KEYS  after those of the feed (see feed.lua) versions by game, what is known about each, then the
--       sorted set of each shelf
-- ARGV  game id, version, member, 1 to go back to an earlier version too (else 0), what is known
--       about the game, then for each shelf 1 (the game stands there) or 0

local versions, about = KEYS[4], KEYS[5]
local game, version, member, anew = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'

local shown = tonumber(redis.call('HGET', versions, game) or '0')
if shown >= version and not anew then
  return 0
end

redis.call('HSET', versions, game, version)
redis.call('HSET', about, game, ARGV[5])
for shelf = 6, #KEYS do
  if ARGV[shelf] == '1' then
    redis.call('ZADD', KEYS[shelf], 0, member)
  else
    redis.call('ZREM', KEYS[shelf], member)
  end
end
if redis.call('EXISTS', feed) == 1 then
  advance(game, version)
end
-- For those who wait for news of this player's games.
redis.call('PUBLISH', 'st:news:' .. string.match(versions, '{(.-)}'), '')
return 1
