// What has to happen at once, or not at all, happens in Redis. A run is a hash (who writes, until when it is believed to
// live) and a stream of entries. The stream is named after the run, so that a run begun again never meets its former readers.
// The entry with counter n has the id n-0; marks in between (b: begun, c: closed, x: thrown away) are no entries.

const NOW = `local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000)`

/** Writes a mark that whoever waits for the stream sees, and lets it lie for a minute. Full memory refuses it: then there is no stream. */
const THROW_AWAY = `
local function throw_away(log)
  redis.call('UNLINK', log)
  local marked = redis.pcall('XADD', log, '9007199254740991-0', 'k', 'x')
  if type(marked) ~= 'table' then redis.call('PEXPIRE', log, 60000) end
end`

export const SCRIPTS = {
  /** KEYS: run. ARGV: prefix of streams, run id, writer id, lease ms, ttl ms, remember ms, restart. */
  begin: `${NOW} ${THROW_AWAY}
local m = redis.call('HMGET', KEYS[1], 'run', 'state', 'lease')
if m[1] then
  local gone = m[2] == 'expired' or redis.call('EXISTS', ARGV[1] .. m[1]) == 0
  local orphaned = m[2] == 'open' and tonumber(m[3]) < now
  if ARGV[7] == '' or not (gone or orphaned) then return {gone and 'expired' or 'exists', m[1]} end
  throw_away(ARGV[1] .. m[1])
end
local log = ARGV[1] .. ARGV[2]
redis.call('HSET', KEYS[1], 'run', ARGV[2], 'writer', ARGV[3], 'state', 'open', 'lease', now + ARGV[4], 'indexed', '')
redis.call('XADD', log, '0-1', 'k', 'b')
redis.call('PEXPIRE', log, ARGV[4] + ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[4] + ARGV[5] + ARGV[6])
return {'created', ARGV[2]}`,

  /** KEYS: run. ARGV: prefix of streams. */
  find: `
local m = redis.call('HMGET', KEYS[1], 'run', 'state')
if not m[1] then return {'unknown'} end
if m[2] == 'expired' or redis.call('EXISTS', ARGV[1] .. m[1]) == 0 then return {'expired'} end
return {'exists', m[1]}`,

  /** KEYS: run, stream. ARGV: run id, writer id, counter, kind, text. A repetition after a lost reply changes nothing. */
  append: `
local m = redis.call('HMGET', KEYS[1], 'run', 'writer', 'state')
if m[1] ~= ARGV[1] or m[2] ~= ARGV[2] or m[3] ~= 'open' then return 'lost' end
local added = redis.pcall('XADD', KEYS[2], 'NOMKSTREAM', ARGV[3] .. '-0', 'k', ARGV[4], 't', ARGV[5])
if type(added) == 'table' and added.err then
  if string.find(added.err, 'equal or smaller', 1, true) then return 'added' end
  return added
end
return added and 'added' or 'lost'`,

  /** KEYS: run, stream, index, total. ARGV: run id, writer id, counter, ttl ms, remember ms, bytes, most bytes ('' for no limit), prefix of streams. */
  close: `${NOW}
local m = redis.call('HMGET', KEYS[1], 'run', 'writer', 'state')
if m[1] ~= ARGV[1] or m[2] ~= ARGV[2] or m[3] ~= 'open' then return 'lost' end
if not redis.call('XADD', KEYS[2], 'NOMKSTREAM', ARGV[3] .. '-0', 'k', 'c') then return 'lost' end
redis.call('HSET', KEYS[1], 'state', 'closed')
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[4] + ARGV[5])
if ARGV[7] == '' then return 'closed' end
local member = ARGV[1] .. ':' .. ARGV[6]
redis.call('HSET', KEYS[1], 'indexed', member)
redis.call('ZADD', KEYS[3], now, member)
local total = redis.call('INCRBY', KEYS[4], ARGV[6])
while true do
  local oldest = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
  if not oldest[1] or (total <= tonumber(ARGV[7]) and tonumber(oldest[2]) + ARGV[4] > now) then break end
  local run, bytes = string.match(oldest[1], '^(.*):(%d+)$')
  redis.call('ZREM', KEYS[3], oldest[1])
  redis.call('UNLINK', ARGV[8] .. run)
  total = redis.call('DECRBY', KEYS[4], bytes)
end
return 'closed'`,

  /** KEYS: run, stream. ARGV: run id, writer id, lease ms, ttl ms, remember ms. */
  beat: `${NOW}
local m = redis.call('HMGET', KEYS[1], 'run', 'writer', 'state')
if m[1] ~= ARGV[1] or m[2] ~= ARGV[2] or m[3] ~= 'open' then return 'lost' end
redis.call('HSET', KEYS[1], 'lease', now + ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3] + ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[3] + ARGV[4] + ARGV[5])
return 'alive'`,

  /** KEYS: run. ARGV: prefix of streams, writer id, lease ms. */
  adopt: `${NOW}
local m = redis.call('HMGET', KEYS[1], 'run', 'state', 'lease')
if m[2] ~= 'open' or tonumber(m[3]) >= now then return {} end
local last = redis.call('XREVRANGE', ARGV[1] .. m[1], '+', '-', 'COUNT', 1)
if not last[1] then return {} end
redis.call('HSET', KEYS[1], 'writer', ARGV[2], 'lease', now + ARGV[3])
return {m[1], last[1][1]}`,

  /** KEYS: run, index, total. ARGV: prefix of streams, remember ms, run id ('' for whichever it is). */
  expire: `${THROW_AWAY}
local m = redis.call('HMGET', KEYS[1], 'run', 'state', 'indexed')
if not m[1] or m[2] == 'expired' or (ARGV[3] ~= '' and m[1] ~= ARGV[3]) then return 'expired' end
throw_away(ARGV[1] .. m[1])
redis.pcall('HSET', KEYS[1], 'state', 'expired')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
if redis.call('ZREM', KEYS[2], m[3]) == 1 then redis.pcall('DECRBY', KEYS[3], string.match(m[3], '%d+$')) end
return 'expired'`,

  /** KEYS: run, stream. ARGV: run id, id before the first entry wanted, most entries. */
  read: `${NOW}
local m = redis.call('HMGET', KEYS[1], 'run', 'state', 'lease')
if m[1] ~= ARGV[1] or redis.call('EXISTS', KEYS[2]) == 0 then return {'gone', {}} end
local entries = redis.call('XRANGE', KEYS[2], '(' .. ARGV[2], '+', 'COUNT', ARGV[3])
local orphaned = #entries == 0 and m[2] == 'open' and tonumber(m[3]) < now
return {orphaned and 'orphaned' or 'there', entries}`,

  /** KEYS: run and stream of each. ARGV: run id of each. */
  look: `${NOW}
local states = {}
for i, run in ipairs(ARGV) do
  local m = redis.call('HMGET', KEYS[2 * i - 1], 'run', 'state', 'lease')
  local gone = m[1] ~= run or redis.call('EXISTS', KEYS[2 * i]) == 0
  states[i] = gone and 'gone' or (m[2] == 'open' and tonumber(m[3]) < now) and 'orphaned' or 'there'
end
return states`,
} as const

export type ScriptName = keyof typeof SCRIPTS
