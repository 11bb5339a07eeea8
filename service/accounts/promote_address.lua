-- Make a pending address the player's own, if it is still the one that the player wants.
--
-- KEYS  the player's key
-- ARGV  the address
--
-- Returns 1, or 0 where another address is pending, or none.

if redis.call('HGET', KEYS[1], 'pending') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'email', ARGV[1], 'verified', ARGV[1])
redis.call('HDEL', KEYS[1], 'pending')
return 1
