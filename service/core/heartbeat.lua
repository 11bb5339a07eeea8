-- Record a heartbeat of web or worker, and the outage that it ends, if any.
--
-- KEYS  a hash of each role's last heartbeat, and `latest`: of any, since a clock was last set
--       back; a hash of outages, from when each began to when it ended
-- ARGV  the role, now, this process's last heartbeat ('' for none), seconds of silence that are no
--       outage, seconds for which outages are stored, how many at most, 1 if the clock was set back
--       since, seconds for which a heartbeat of another process of the role suffices, then the
--       beginning and end of each jump of the clock that this process has seen
--
-- Outages that overlap become one. A heartbeat sent again after a lost answer ends none anew.
-- Returns the hash of outages.

local last, outages = KEYS[1], KEYS[2]
local role, now, own = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local silence, kept, most = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local was_set_back, fresh, FIRST_JUMP = ARGV[7] == '1', tonumber(ARGV[8]), 9

local before = tonumber(redis.call('HGET', last, role) or '')
local latest = tonumber(redis.call('HGET', last, 'latest') or '')

-- Each write waits for the disk, so the processes of a role share their heartbeats.
local is_anothers = before and (not own or before > own + 1)
if is_anothers and latest and before <= now and now - before < fresh
  and not was_set_back and #ARGV < FIRST_JUMP then
  return redis.call('HGETALL', outages)
end

local function all()
  local found, stored = {}, redis.call('HGETALL', outages)
  for i = 1, #stored, 2 do
    found[#found + 1] = { tonumber(stored[i]), tonumber(stored[i + 1]), stored[i] }
  end
  table.sort(found, function(one, other) return one[1] < other[1] end)
  return found
end

local function record(from, to)
  from, to = math.floor(from), math.ceil(to)
  for _, one in ipairs(all()) do
    if one[1] <= to and from <= one[2] then
      from, to = math.min(from, one[1]), math.max(to, one[2])
      redis.call('HDEL', outages, one[3])
    end
  end
  redis.call('HSET', outages, string.format('%d', from), string.format('%d', to))
end

local function forget()
  local found = all()
  for place, one in ipairs(found) do
    if place <= #found - most or one[2] < now - kept then
      redis.call('HDEL', outages, one[3])
    end
  end
end

if before and now - math.max(before, own or before) > silence then
  record(before, now)
end
for i = FIRST_JUMP, #ARGV, 2 do
  local from, to = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  -- A clock that was wrong since the machine started: before that the server ran.
  if latest and from < latest and latest <= to then
    from = latest
  end
  record(from, to)
end
forget()

-- A little behind: another machine's clock. Far behind: the clock was set back.
if not before or now > before or before - now > silence then
  redis.call('HSET', last, role, ARGV[2])
end
if not latest or now > latest or was_set_back then
  redis.call('HSET', last, 'latest', ARGV[2])
end
return redis.call('HGETALL', outages)
