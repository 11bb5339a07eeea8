-- Keep an address that a player answers from, unless the player is gone or has no room for another.
--
-- KEYS  the player's key, the key of these addresses
-- ARGV  the address's id, what to keep of it, how many there may be for a new one to fit in
--
-- Returns 1, or 0 where nothing was kept.

if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0
  and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
