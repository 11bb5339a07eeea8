-- Put a mail into the local mailbox, unless it is there: the same id is the same mail, sent again.
--
-- KEYS  ids by the time they came in, the mails by id
-- ARGV  id, mail, time, how many mails the box holds; the oldest leave a full one
--
-- Returns 1 if the mail is new, else 0.

local newest, mails = KEYS[1], KEYS[2]
local id, mail, time, capacity = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

if redis.call('HSETNX', mails, id, mail) == 0 then
  return 0
end
redis.call('ZADD', newest, time, id)
local surplus = redis.call('ZCARD', newest) - capacity
if surplus > 0 then
  local oldest = redis.call('ZRANGE', newest, 0, surplus - 1)
  redis.call('ZREM', newest, unpack(oldest))
  redis.call('HDEL', mails, unpack(oldest))
end
return 1
