-- Forget what one player last asked another for, if it is still this.
--
-- KEYS  the pair of players, or of a player and an address
-- ARGV  the text

if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('UNLINK', KEYS[1])
end
