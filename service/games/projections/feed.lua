-- A player's feed: the events of all of the player's games, each once, and other news, numbered as
-- they came up.
-- It begins when it is first asked for; until then nothing of it is kept. It ends when nobody has
-- asked for it for a while.
--
-- This goes before each script that writes feeds.
-- KEYS  the feed, the version of each game up to which it goes, its entries, then the script's own

local feed, fed, entries = KEYS[1], KEYS[2], KEYS[3]
local LENGTH = 10000 -- about as many entries are kept: who stays away for more of them is told so
local LIFE = 30 * 24 * 60 * 60 -- seconds since it was last asked for

-- All keys of the feed live as long as its first one, or for as many milliseconds as are given.
local function keep(life)
  local left = life or redis.call('PTTL', feed)
  if left < 0 then
    left = LIFE * 1000 -- of an older version of this program, which let it live for ever
  end
  for _, key in ipairs({ feed, fed, entries }) do
    redis.call('PEXPIRE', key, left)
  end
end

local function add(...)
  local number = redis.call('HINCRBY', feed, 'last', 1)
  redis.call('XADD', entries, 'MAXLEN', '~', LENGTH, number .. '-0', ...)
end

-- Add what is no event. The same news twice in a row is a command that was sent again.
local function announce(kind, game, detail)
  local newest = redis.call('XREVRANGE', entries, '+', '-', 'COUNT', 1)[1]
  local fields = newest and table.concat(newest[2], ' ')
  if fields ~= table.concat({ 'game', game, 'kind', kind, 'detail', detail }, ' ') then
    add('game', game, 'kind', kind, 'detail', detail)
    keep()
  end
end

local function advance(game, version)
  local known = tonumber(redis.call('HGET', fed, game) or '0')
  for seq = known + 1, version do
    add('game', game, 'seq', seq)
  end
  if version > known then
    redis.call('HSET', fed, game, version)
    keep()
  end
end
