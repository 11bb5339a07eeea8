-- Record the outcome of a notice on one channel.
--
-- KEYS  the ledger of a player and a game, the set of all games in that player's ledger, the player
-- ARGV  the ledger's field, its text, seconds for which the ledger is kept, the game, seconds for
--       which the set is kept, 'new' to leave an earlier outcome or '', 'existing' to record
--       nothing for a player whose account is closed or ''
--
-- Returns how many fields the ledger has.

if ARGV[7] == 'existing' and redis.call('EXISTS', KEYS[3]) == 0 then
  return 0
end
redis.call(ARGV[6] == 'new' and 'HSETNX' or 'HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('SADD', KEYS[2], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[5])
return redis.call('HLEN', KEYS[1])
