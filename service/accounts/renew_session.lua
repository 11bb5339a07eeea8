-- Replace a session by one that expires later, unless it has changed: a session that was ended must
-- not come back.
--
-- KEYS  the player's tokens
-- ARGV  the session's digest, what is stored now, what to store instead
--
-- Returns 1, or 0 where something else is stored.

if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
