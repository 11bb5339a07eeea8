-- Claim due members: they are due again when the lease ends, unless they are finished.
--
-- KEYS  a sorted set of members by due time; optionally a hash of the original due times of claimed
--       members
-- ARGV  now, end of the lease, how many at most, which members: 'all', or of notices 'mail',
--       'channels' (those that players have chosen, such as webhook-ab2cd3ef), 'mail-in' or
--       'strangers-mail-in' (of that kind on the channel 'log') or 'rest'
--
-- Returns the next due time or end of a lease in the set ('' for an empty set), then the claimed members, the longest due first.

local due, since = KEYS[1], KEYS[2]
local now, lease_end, limit, which = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local PAGE = 200

local function matches(member)
  if which == 'all' then
    return true
  end
  local channel, kind = string.match(member, '^[^.]*%.[^.]*%.[^.]*%.([^.]*)%.(.*)$')
  channel = channel or ''
  if channel == 'mail' then
    return which == 'mail'
  end
  if channel == 'log' and (kind == 'mail-in' or kind == 'strangers-mail-in') then
    return which == kind
  end
  return which == (string.find(channel, '-', 1, true) and 'channels' or 'rest')
end

local claimed, times = {}, {}
local seen = 0
repeat
  local page =
    redis.call('ZRANGEBYSCORE', due, '-inf', now, 'WITHSCORES', 'LIMIT', seen, PAGE)
  for i = 1, #page, 2 do
    if #claimed < limit and matches(page[i]) then
      claimed[#claimed + 1] = page[i]
      times[#times + 1] = page[i + 1]
    end
  end
  seen = seen + #page / 2
until #page < 2 * PAGE or #claimed >= limit

for i, member in ipairs(claimed) do
  redis.call('ZADD', due, 'XX', lease_end, member)
  if since then
    redis.call('HSETNX', since, member, times[i])
  end
end
local head = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')[2] or ''
return { head, unpack(claimed) }
