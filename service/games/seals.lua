-- A player's seals: store a new one, or use one for a game.
--
-- KEYS  the player's seals
-- ARGV  'keep': now, seal, its secret, when it expires, for how many seconds, how many may be open
--       'use':  now, seal, game id, 1 to bind the seal to that game (else 0)
--
-- A seal is stored as `EXPIRES GAME SECRET`; GAME is `-` until it is used. Expired ones
-- are dropped here. 'keep' returns the stored seal, or '' if too many are open; 'use' returns its
-- secret, 'used' if it is bound to another game, or '' if there is no such seal. Both may be
-- repeated: an existing seal stays as it is, and is bound once.

local seals, action, now, seal = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3]
local FORM, UNUSED = '^(%d+) (%S+) (%x+)$', '-'

local function drop_expired()
  local held, open = redis.call('HGETALL', seals), 0
  for i = 1, #held, 2 do
    local expires, game = string.match(held[i + 1], FORM)
    if tonumber(expires) <= now then
      redis.call('HDEL', seals, held[i])
    elseif game == UNUSED then
      open = open + 1
    end
  end
  return open
end

if action == 'keep' then
  local open = drop_expired()
  local known = redis.call('HGET', seals, seal)
  if known then
    return known
  end
  if open >= tonumber(ARGV[7]) then
    return ''
  end
  local kept = ARGV[5] .. ' ' .. UNUSED .. ' ' .. ARGV[4]
  redis.call('HSET', seals, seal, kept)
  redis.call('EXPIRE', seals, ARGV[6])
  return kept
end

local game, binding = ARGV[4], ARGV[5] == '1'
local expires, bound, secret = string.match(redis.call('HGET', seals, seal) or '', FORM)
if not expires or tonumber(expires) <= now then
  return ''
end
if bound == UNUSED and binding then
  redis.call('HSET', seals, seal, expires .. ' ' .. game .. ' ' .. secret)
elseif bound ~= UNUSED and bound ~= game then
  return 'used'
end
return secret
