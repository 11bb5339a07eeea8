-- Count news of a player for their open pages, and add it to their feed if there is one.
--
-- KEYS  after those of the feed (see feed.lua) the number of signals
-- ARGV  seconds for which that number is kept, the channel on which to wake pages ('' for none), then
--       nothing, or the kind of the news, the game and the detail

redis.call('INCR', KEYS[4])
redis.call('EXPIRE', KEYS[4], ARGV[1])
if ARGV[3] and redis.call('EXISTS', feed) == 1 then
  announce(ARGV[3], ARGV[4], ARGV[5])
end
if ARGV[2] ~= '' then
  redis.call('PUBLISH', ARGV[2], '')
end
return 1
