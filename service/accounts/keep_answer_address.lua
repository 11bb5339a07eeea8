-- Store an address from which a player replies, unless the player is gone or has the most allowed.
--
-- KEYS  the player's key, the key of these addresses
-- ARGV  the address's id, its text, the most addresses before a new one
--
-- Returns 1, or 0 if nothing was stored.

if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0
  and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
