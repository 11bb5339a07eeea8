-- Set one field of a player, unless the player is gone: a deleted player must not come back in part.
--
-- KEYS  the player's key
-- ARGV  field, value
--
-- Returns 1, or 0 where there is no such player.

if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
