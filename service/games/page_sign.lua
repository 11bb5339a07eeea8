-- Store a sign of an open page, unless it is older than the latest one from the same page: when a
-- page is left, its last sign may overtake the one before. Returns the sign before, of the last key.
-- KEYS: the player's latest sign, where "away" counts only from the page that gave it, as another
-- may still be in sight; and that for the game whose page it is, if it is one's. Each is "SIGN PAGE
-- NUMBER SEEN MARK", where SEEN is the last moment at which a page was in sight.
-- ARGV: sign, page, number, seconds it holds, now, and the mark for each key.
local sign, page, number, seconds, now = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]

local function store(key, mark, is_of_all)
  local before = redis.call('GET', key) or ''
  local old, of, latest, seen = before:match('^(%a+) (%w*) (%d+) (%d+) %a+$')
  if of == page and tonumber(latest) > number then
    return sign
  end
  if is_of_all and sign == 'away' and old and of ~= page then
    return old
  end
  if sign ~= 'away' or (of == page and old ~= 'away') then
    seen = now
  end
  local text = table.concat({ sign, page, ARGV[3], seen or '0', mark }, ' ')
  redis.call('SET', key, text, 'EX', seconds)
  return old or ''
end

local before = store(KEYS[1], ARGV[6], true)
if KEYS[2] then
  before = store(KEYS[2], ARGV[7], false)
end
return before
