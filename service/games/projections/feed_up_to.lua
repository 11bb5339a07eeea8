-- Bring a player's feed up to the games as they stand, or begin it with what comes after that.
--
-- KEYS  those of the feed
-- ARGV  the name of the feed if it begins, '' where it may not, as these are not all games; then the
--       id and the version of each game
-- Returns its name, the number of its last entry and that of the first one still there; nothing where
-- there is no feed.

if redis.call('EXISTS', feed) == 1 then
  for i = 2, #ARGV, 2 do
    -- A game that has just ended was fed to its end and forgotten when it was listed so.
    if redis.call('HEXISTS', fed, ARGV[i]) == 1 then
      advance(ARGV[i], tonumber(ARGV[i + 1]))
    end
  end
elseif ARGV[1] == '' then
  return false
else
  redis.call('HSET', feed, 'name', ARGV[1], 'last', 0)
  for i = 2, #ARGV, 2 do
    redis.call('HSET', fed, ARGV[i], ARGV[i + 1])
  end
end

keep(LIFE * 1000)

local last = tonumber(redis.call('HGET', feed, 'last'))
local oldest = redis.call('XRANGE', entries, '-', '+', 'COUNT', 1)[1]
local first = oldest and tonumber(string.match(oldest[1], '^%d+')) or last + 1
return { redis.call('HGET', feed, 'name'), last, first }
