-- A player's feed: the events of all of the player's games, each once, numbered as they came up.
-- It begins when it is first asked for; until then nothing of it is kept.
--
-- This goes before each script that writes feeds.
-- KEYS  the feed, the version of each game up to which it goes, its entries, then the script's own

local feed, fed, entries = KEYS[1], KEYS[2], KEYS[3]
local LENGTH = 100000 -- about as many entries are kept: who stays away for more of them is told so

local function advance(game, version)
  local known = tonumber(redis.call('HGET', fed, game) or '0')
  for seq = known + 1, version do
    local number = redis.call('HINCRBY', feed, 'last', 1)
    redis.call('XADD', entries, 'MAXLEN', '~', LENGTH, number .. '-0', 'game', game, 'seq', seq)
  end
  if version > known then
    redis.call('HSET', fed, game, version)
  end
end
