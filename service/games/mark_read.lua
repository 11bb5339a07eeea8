-- Mark the messages of a game up to one as read by a player.
--
-- KEYS  the game's messages
-- ARGV  the reader's seat, the number of the message, what a message of the other player's contains

local messages = KEYS[1]
local seat, number, of_other = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local last = tonumber(redis.call('HGET', messages, 'last') or '0')
number = math.min(number, last)
if number <= tonumber(redis.call('HGET', messages, 'seen:' .. seat) or '0') then
  return
end
local unread = 0
for later = number + 1, last do
  local message = redis.call('HGET', messages, later)
  if message and string.find(message, of_other, 1, true) then
    unread = unread + 1
  end
end
redis.call('HSET', messages, 'seen:' .. seat, number, 'unread:' .. seat, unread)
