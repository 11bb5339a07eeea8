-- Bring a player's feed up to the games as they stand, or begin it with what comes after that.
--
-- KEYS  after those of the feed the versions of all of the player's games, as their list shows them
-- ARGV  the name of the feed if it begins, then the id and the version of each game
-- Returns its name, the number of its last entry and that of the first one still there.

local listed = KEYS[4]

if redis.call('EXISTS', feed) == 1 then
  for i = 2, #ARGV, 2 do
    advance(ARGV[i], tonumber(ARGV[i + 1]))
  end
else
  redis.call('HSET', feed, 'name', ARGV[1], 'last', 0)
  local shown = redis.call('HGETALL', listed)
  for i = 1, #shown, 2 do
    redis.call('HSET', fed, shown[i], shown[i + 1])
  end
  for i = 2, #ARGV, 2 do
    redis.call('HSET', fed, ARGV[i], ARGV[i + 1])
  end
end

local last = tonumber(redis.call('HGET', feed, 'last'))
local oldest = redis.call('XRANGE', entries, '-', '+', 'COUNT', 1)[1]
local first = oldest and tonumber(string.match(oldest[1], '^%d+')) or last + 1
return { redis.call('HGET', feed, 'name'), last, first }
