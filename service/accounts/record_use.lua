-- Record that a token was used: once a minute at most, and only while the token exists.
--
-- KEYS  the player's tokens, the times of their last use, the player's last sign of life
-- ARGV  the token's digest, unix seconds, least seconds between two records
--
-- Returns 1 where the use was recorded, else 0.

if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local recorded = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')
local ago = tonumber(ARGV[2]) - recorded
-- A record of the future is of a clock that was wrong.
if ago >= 0 and ago < tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('SET', KEYS[3], ARGV[2])
return 1
