-- Store a sign of an open page, unless it is older than the latest one from the same page: when a
-- page is left, its last sign may overtake the one before. Returns the sign before of the game's key,
-- and the other game whose page was the last in sight, if the player has now come or gone: else "".
-- KEYS: the player's latest sign, where "away" counts only from the page that gave it, as another
-- may still be in sight; and that for the game whose page it is, if it is one's. Each is "SIGN PAGE
-- NUMBER SEEN MARK", where SEEN is the last moment at which a page was in sight; the first ends with
-- the game.
-- ARGV: sign, page, number, seconds it holds, now, the mark of the first key, and for a game its id
-- and the mark of the second key.
local sign, page, number, seconds, now = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]

local function store(key, mark, game)
  local before = redis.call('GET', key) or ''
  local old, of, latest, seen, last = before:match('^(%a+) (%w*) (%d+) (%d+) %a+ ?(%S*)$')
  if of == page and tonumber(latest) > number then
    return sign, ''
  end
  if game and sign == 'away' and old and of ~= page then
    return old, ''
  end
  if sign ~= 'away' or (of == page and old ~= 'away') then
    seen = now
  end
  local text = { sign, page, ARGV[3], seen or '0', mark, game and (game ~= '' and game or last) }
  redis.call('SET', key, table.concat(text, ' '), 'EX', seconds)
  local is_same = (sign == 'away') == ((old or 'away') == 'away')
  return old or '', (is_same or last == game) and '' or last or ''
end

local before, left = store(KEYS[1], ARGV[6], ARGV[7] or '')
if KEYS[2] then
  before = store(KEYS[2], ARGV[8])
end
return { before, left }
