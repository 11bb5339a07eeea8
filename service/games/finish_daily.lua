-- Enters a finished try into the table of its day, whatever it had there before.
-- KEYS[1]: the table. ARGV: rank, PLAYER GAME, the seconds until the table expires.
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
