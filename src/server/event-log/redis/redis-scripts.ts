// Atomic operations are Lua scripts in Redis. A run is a hash (its writer, and the end of its lease) and a stream of
// entries. The stream is named after the run id, so that a restarted run never reaches the readers of the earlier one.
// The entry with counter n has the id n-0; marks in between (b: begun, c: closed, x: thrown away) are not entries.
// Counters have no holes: entries that Redis acknowledged and then lost, in a failover or a restart, are detected at
// the next entry. Each entry names its writer and where that writer began (w), so that a reader notices when others
// took the place of entries it has read.

const NOW = `local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000)`

/** Writes a mark that wakes readers of the stream; it expires after a minute. Full memory refuses it: then there is no stream. */
const THROW_AWAY = `
local function throw_away(log)
  redis.call('UNLINK', log)
  local marked = redis.pcall('XADD', log, '9007199254740991-0', 'k', 'x')
  if type(marked) ~= 'table' then redis.call('PEXPIRE', log, 60000) end
end`

/** The counter of the last entry or mark; nil when there is no stream. And how a run ends whose entries were lost. */
const LAST = `
local function last_of(log)
  local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)
  return last[1] and tonumber(string.match(last[1][1], '^%d+'))
end
local function lose(run, log)
  throw_away(log)
  redis.pcall('HSET', run, 'state', 'expired')
end`

export const SCRIPTS = {
  /** KEYS: run. ARGV: prefix of streams, run id, writer id, lease ms, ttl ms, remember ms, restart, mailbox of the writer. */
  begin: `${NOW} ${THROW_AWAY}
local m = redis.call('HMGET', KEYS[1], 'run', 'state', 'lease')
if m[1] then
  local gone = m[2] == 'expired' or redis.call('EXISTS', ARGV[1] .. m[1]) == 0
  local orphaned = m[2] == 'open' and tonumber(m[3]) < now
  if ARGV[7] == '' or not (gone or orphaned) then return {gone and 'expired' or 'exists', m[1]} end
  throw_away(ARGV[1] .. m[1])
end
local log = ARGV[1] .. ARGV[2]
redis.call('HSET', KEYS[1], 'run', ARGV[2], 'writer', ARGV[3], 'state', 'open', 'lease', now + ARGV[4], 'indexed', '',
  'mailbox', ARGV[8])
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

  /**
   * KEYS: run, stream. ARGV: run id, writer id, counter of the first entry, writer's mark; kind and text of each entry. A repetition
   * after a lost reply changes nothing.
   */
  append: `${THROW_AWAY} ${LAST}
local m = redis.call('HMGET', KEYS[1], 'run', 'writer', 'state')
if m[1] ~= ARGV[1] or m[2] ~= ARGV[2] or m[3] ~= 'open' then return 'lost' end
local last, before, count = last_of(KEYS[2]), tonumber(ARGV[3]) - 1, (#ARGV - 4) / 2
if last == before + count then return 'added' end
if last ~= before then
  lose(KEYS[1], KEYS[2])
  return 'lost'
end
for i = 1, count do
  local id = string.format('%.0f-0', before + i)
  redis.call('XADD', KEYS[2], 'NOMKSTREAM', id, 'k', ARGV[3 + 2 * i], 't', ARGV[4 + 2 * i], 'w', ARGV[4])
end
return 'added'`,

  /**
   * KEYS: run, stream, index, total. ARGV: run id, writer id, counter, ttl ms, remember ms, bytes, most bytes ('' for no limit), prefix
   * of streams, writer's mark.
   */
  close: `${NOW} ${THROW_AWAY} ${LAST}
local m = redis.call('HMGET', KEYS[1], 'run', 'writer', 'state')
if m[1] ~= ARGV[1] or m[2] ~= ARGV[2] or m[3] ~= 'open' then return m[3] == 'closed' and 'closed' or 'lost' end
if last_of(KEYS[2]) ~= tonumber(ARGV[3]) - 1 then
  lose(KEYS[1], KEYS[2])
  return 'shortened'
end
redis.call('XADD', KEYS[2], 'NOMKSTREAM', ARGV[3] .. '-0', 'k', 'c', 'w', ARGV[9])
redis.call('HSET', KEYS[1], 'state', 'closed')
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[4] + ARGV[5])
if ARGV[7] == '' then return 'closed' end
local member = ARGV[1] .. ':' .. ARGV[6]
redis.call('HSET', KEYS[1], 'indexed', member)
-- With microseconds: runs that end in the same millisecond are ordered, and the oldest is evicted first.
redis.call('ZADD', KEYS[3], string.format('%.3f', t[1] * 1000 + t[2] / 1000), member)
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

  /** KEYS: run, stream. ARGV: run id, writer id, lease ms, ttl ms, remember ms, counter of the last entry that was acknowledged. */
  beat: `${NOW} ${THROW_AWAY} ${LAST}
local m = redis.call('HMGET', KEYS[1], 'run', 'writer', 'state')
if m[1] ~= ARGV[1] or m[2] ~= ARGV[2] or m[3] ~= 'open' then return 'lost' end
if (last_of(KEYS[2]) or -1) < tonumber(ARGV[6]) then
  lose(KEYS[1], KEYS[2])
  return 'lost'
end
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
redis.call('HSET', KEYS[1], 'writer', ARGV[2], 'lease', now + ARGV[3], 'mailbox', '')
return {m[1], last[1][1]}`,

  /**
   * Puts a command into the mailbox of the process that writes a run. A repetition after a lost reply puts it there twice: each is
   * carried out once. KEYS: run. ARGV: prefix of streams, prefix of mailboxes, text, ms to keep it.
   */
  command: `${NOW}
local m = redis.call('HMGET', KEYS[1], 'run', 'state', 'lease', 'mailbox')
if not m[1] then return {'unknown'} end
if m[2] == 'expired' or redis.call('EXISTS', ARGV[1] .. m[1]) == 0 then return {'expired'} end
if m[2] == 'closed' then return {'closed', m[1]} end
if tonumber(m[3]) < now then return {'orphaned', m[1]} end
if not m[4] or m[4] == '' then return {'unavailable', m[1]} end
redis.call('RPUSH', ARGV[2] .. m[4], ARGV[3])
redis.call('PEXPIRE', ARGV[2] .. m[4], ARGV[4])
return {'sent', m[1]}`,

  /** KEYS: mailbox. ARGV: text, ms to keep it. */
  post: `
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 'posted'`,

  /** KEYS: run, index, total. ARGV: prefix of streams, remember ms, run id and writer id ('' for whichever they are). */
  expire: `${THROW_AWAY}
local m = redis.call('HMGET', KEYS[1], 'run', 'state', 'indexed', 'writer')
if not m[1] or m[2] == 'expired' then return 'expired' end
if ARGV[3] ~= '' and (m[1] ~= ARGV[3] or m[4] ~= ARGV[4] or m[2] ~= 'open') then return 'kept' end
throw_away(ARGV[1] .. m[1])
redis.pcall('HSET', KEYS[1], 'state', 'expired')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
if redis.call('ZREM', KEYS[2], m[3]) == 1 then redis.pcall('DECRBY', KEYS[3], string.match(m[3], '%d+$')) end
return 'expired'`,

  /**
   * KEYS: run, stream. ARGV: run id, counter before the first entry wanted, most entries, most bytes. The third value of the reply says
   * whether there is more. A log that ends before what was read already is gone: Redis lost its end.
   */
  read: `${NOW} ${THROW_AWAY} ${LAST}
local m = redis.call('HMGET', KEYS[1], 'run', 'state', 'lease')
local last = last_of(KEYS[2])
if m[1] ~= ARGV[1] or not last or last < tonumber(ARGV[2]) then return {'gone', {}, ''} end
local entries, from, bytes, more = {}, ARGV[2] .. '-1', 0, true
while more and #entries < tonumber(ARGV[3]) and bytes < tonumber(ARGV[4]) do
  local some = redis.call('XRANGE', KEYS[2], '(' .. from, '+', 'COUNT', 16)
  more = #some == 16
  for _, entry in ipairs(some) do
    if bytes >= tonumber(ARGV[4]) then
      more = true
      break
    end
    entries[#entries + 1] = entry
    from = entry[1]
    bytes = bytes + #(entry[2][4] or '')
  end
end
local orphaned = #entries == 0 and m[2] == 'open' and tonumber(m[3]) < now
return {orphaned and 'orphaned' or 'there', entries, more and 'more' or ''}`,

  /** KEYS: run and stream of each. ARGV: run id of each. Gives the counter of the last entry for each that is alive. */
  look: `${NOW} ${THROW_AWAY} ${LAST}
local states = {}
for i, run in ipairs(ARGV) do
  local m = redis.call('HMGET', KEYS[2 * i - 1], 'run', 'state', 'lease')
  local last = last_of(KEYS[2 * i])
  local gone = m[1] ~= run or not last
  states[i] = gone and 'gone' or (m[2] == 'open' and tonumber(m[3]) < now) and 'orphaned' or tostring(last)
end
return states`,
} as const

export type ScriptName = keyof typeof SCRIPTS
