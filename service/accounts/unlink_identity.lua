-- Remove an identity of a player, unless it is the last and has to stay.
--
-- KEYS  the player's identities
-- ARGV  the id of the link, 1 if it may be the last (else 0)
--
-- Returns 0 if it has to stay.

if ARGV[2] == '0' and redis.call('HLEN', KEYS[1]) == redis.call('HEXISTS', KEYS[1], ARGV[1]) then
  return 0
end
redis.call('HDEL', KEYS[1], ARGV[1])
return 1
