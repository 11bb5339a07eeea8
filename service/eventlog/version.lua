-- The number of events in a log: the number of its last entry, since the first entry may stand for
-- more than one event (see derived.py). A compacted log begins with its form and its version. The
-- second value is the last entry; a compacted log has none.
local function version_of(log)
  if redis.call('TYPE', log).ok == 'string' then
    return tonumber(string.match(redis.call('GETRANGE', log, 0, 31), '^%d+ (%d+) '))
  end
  local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  return last and tonumber(string.match(last[1], '^%d+')) or 0, last
end

