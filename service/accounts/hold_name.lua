-- Let a player hold a name under all of its keys, or do nothing.
--
-- KEYS  the name's keys
-- ARGV  the player's id, unix seconds
--
-- Returns nothing where the player holds it now, else the key, the id and the time of another
-- holder.

for _, key in ipairs(KEYS) do
  local held = redis.call('HGETALL', key)
  for i = 1, #held, 2 do
    if held[i] ~= ARGV[1] then
      return { key, held[i], held[i + 1] }
    end
  end
end
for _, key in ipairs(KEYS) do
  redis.call('HSET', key, ARGV[1], ARGV[2])
end
return {}
