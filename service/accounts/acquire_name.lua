-- Take a name for a player under all of its keys, or change nothing.
--
-- KEYS  the name's keys
-- ARGV  the player's id, unix seconds
--
-- Returns an empty list once the player holds the name, else the key, id and time of another holder.

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
