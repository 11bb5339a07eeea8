-- Delete a player's last request to another, if it is still this one.
--
-- KEYS  the pair of players, or of a player and an address
-- ARGV  the text

if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('UNLINK', KEYS[1])
end
