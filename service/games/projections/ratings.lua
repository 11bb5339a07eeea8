-- Write what a run of results does to the ratings, unless others were written since they were read.
--
-- KEYS  ratings, results, their order, wins by pair
-- ARGV  the revision that was read, 1 to begin anew (else 0), a game to remove and the field that
--       counts it (else empty), the number of results, then of each its game, end and text; the
--       number of players, then of each the id and form, empty without rated games; then a field to
--       count up for each result that is new

local ratings, results, order, pairs_won = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local revision = redis.call('HGET', ratings, 'revision') or '0'
if revision ~= ARGV[1] then
  return 0
end
if ARGV[2] == '1' then
  redis.call('DEL', ratings, results, order, pairs_won)
end
redis.call('HSET', ratings, 'revision', revision + 1)
if redis.call('HDEL', results, ARGV[3]) == 1 then
  redis.call('ZREM', order, ARGV[3])
  if redis.call('HINCRBY', pairs_won, ARGV[4], -1) == 0 then
    redis.call('HDEL', pairs_won, ARGV[4])
  end
end

local place = 5
local function take()
  place = place + 1
  return ARGV[place - 1]
end
for _ = 1, tonumber(take()) do
  local game, ended, text = take(), take(), take()
  redis.call('ZADD', order, ended, game)
  redis.call('HSET', results, game, text)
end
for _ = 1, tonumber(take()) do
  local player, form = take(), take()
  if form == '' then
    redis.call('HDEL', ratings, player)
  else
    redis.call('HSET', ratings, player, form)
  end
end
while place <= #ARGV do
  redis.call('HINCRBY', pairs_won, take(), 1)
end
return 1
