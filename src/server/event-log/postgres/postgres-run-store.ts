import { systemDigest } from '../../../base/digest.ts'
import {
  MOST_BYTES,
  MOST_ENTRIES,
  type LeasedRun,
  type RunStore,
  entryText,
  letterOf,
  type StoredEntry,
} from '../leased/run-store.ts'
import type { PostgresRow, PostgresQueries } from './postgres-queries.ts'

/** Channel of NOTIFY. Its messages name the log or the mailbox that has something new. */
export const CHANNEL = 'capstan_log'

/** Ids of rows. */
export const logOf = (run: string): string => `log:${run}`
export const mailboxOf = (name: string): string => `mailbox:${name}`

export interface PostgresRunStoreOptions {
  readonly queries: PostgresQueries
  readonly leaseMs: number
  readonly ttlMs: number
  readonly rememberMs: number
  readonly maxBytes: number | undefined
  /** How long a mailbox that nobody takes from keeps its letters. */
  readonly keepLettersMs: number
}

/** A part of a log, with the counter of the last entry or mark that there is. */
export interface LogPart {
  readonly items: readonly StoredEntry[]
  readonly last: number
  readonly isOrphaned: boolean
}

export interface PostgresRunStore extends Omit<RunStore, 'wait'> {
  /** Undefined: the run is gone. */
  readPart(run: LeasedRun, after: number): Promise<LogPart | undefined>
  /** Puts a letter into a mailbox. */
  post(mailbox: string, text: string): Promise<void>
  /** Takes all letters out of a mailbox, in their order. */
  takeLetters(mailbox: string): Promise<readonly string[]>
  /** Expires what is overdue, and forgets what has been remembered long enough. */
  sweep(): Promise<void>
}

const NOW = 'statement_timestamp()'
/** Milliseconds of a parameter from now. */
const later = (parameter: string): string => `${NOW} + ${parameter}::float8 * interval '1 millisecond'`
/** Whether a run that is named l is gone: it has expired, or would have if somebody had looked. */
const GONE = `(l.kind = 'expired' OR l.until <= ${NOW})`
/** Whether it is no longer remembered. */
const forgotten = (rememberMs: string): string =>
  `(l.until + CASE WHEN l.kind = 'expired' THEN 0 ELSE ${rememberMs}::float8 END * interval '1 millisecond' <= ${NOW})`
const ORPHANED = `(l.kind = 'open' AND l.lease < ${NOW})`
/** The counter of the last entry or mark. */
const lastOf = (log: string): string => `(SELECT max(counter) FROM capstan_log WHERE id = ${log})`
/** In order, and unique but for a chance in a thousand within the same microsecond; then the statement is repeated. */
const LETTER_COUNTER = `(extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000 + floor(random() * 1000)::bigint`

const SQL = {
  /** $1 run key, $2 run, $3 writer, $4 mailbox, $5 lease ms, $6 lease and ttl ms, $7 remember ms, $8 restart. No row: look again. */
  begin: `WITH before AS (SELECT body FROM capstan_log WHERE id = $1 AND counter = 0),
begun AS (
  INSERT INTO capstan_log AS l (id, counter, kind, writer, body, mailbox, lease, until)
  VALUES ($1, 0, 'open', $3, $2, $4, ${later('$5')}, ${later('$6')})
  ON CONFLICT (id, counter) DO UPDATE SET kind = 'open', writer = excluded.writer, body = excluded.body,
    mailbox = excluded.mailbox, bytes = NULL, lease = excluded.lease, until = excluded.until
  WHERE ${forgotten('$7')} OR ($8::boolean AND (${GONE} OR ${ORPHANED}))
  RETURNING 1),
mark AS (INSERT INTO capstan_log (id, counter, kind, writer, body) SELECT 'log:' || $2::text, 0, 'b', $3, '' FROM begun)
SELECT 'created' AS state, $2::text AS run, (SELECT body FROM before) AS before FROM begun
UNION ALL
SELECT CASE WHEN ${GONE} THEN 'expired' ELSE 'exists' END, l.body, NULL FROM capstan_log AS l
WHERE l.id = $1 AND l.counter = 0 AND NOT EXISTS (SELECT 1 FROM begun)`,

  /** $1 run key, $2 remember ms. */
  find: `SELECT CASE WHEN ${forgotten('$2')} THEN 'unknown' WHEN ${GONE} THEN 'expired' ELSE 'exists' END AS state, l.body AS run
FROM capstan_log AS l WHERE l.id = $1 AND l.counter = 0`,

  /** $1 run key, $2 run, $3 writer, $4 counter before, $5 writer's mark, $6 kinds, $7 bodies. */
  append: `WITH head AS (
  SELECT 1 FROM capstan_log AS l WHERE l.id = $1 AND l.counter = 0 AND l.body = $2 AND l.writer = $3 AND l.kind = 'open'
    AND NOT ${GONE} FOR NO KEY UPDATE),
place AS (SELECT ${lastOf("'log:' || $2::text")} AS last),
added AS (
  INSERT INTO capstan_log (id, counter, kind, writer, body)
  SELECT 'log:' || $2::text, $4::bigint + e.position, e.kind, $5, e.body
  FROM head, place, unnest($6::text[], $7::text[]) WITH ORDINALITY AS e (kind, body, position)
  WHERE place.last = $4::bigint
  ON CONFLICT (id, counter) DO NOTHING)
SELECT place.last, pg_notify('${CHANNEL}', 'log:' || $2::text) FROM head, place`,

  /** $1 run key, $2 run, $3 writer, $4 counter of the last entry, $5 ttl ms, $6 bytes, $7 writer's mark. */
  close: `WITH closed AS (
  UPDATE capstan_log AS l SET kind = 'closed', bytes = $6, mailbox = NULL, lease = NULL, until = ${later('$5')}
  WHERE l.id = $1 AND l.counter = 0 AND l.body = $2 AND l.writer = $3 AND l.kind = 'open' AND NOT ${GONE}
    AND ${lastOf("'log:' || $2::text")} = $4::bigint
  RETURNING 1),
mark AS (
  INSERT INTO capstan_log (id, counter, kind, writer, body)
  SELECT 'log:' || $2::text, $4::bigint + 1, 'c', $7, '' FROM closed)
SELECT pg_notify('${CHANNEL}', 'log:' || $2::text) FROM closed`,

  /** $1 run key, $2 run, $3 writer, $4 counter of the last entry, $5 lease ms, $6 lease and ttl ms. */
  beat: `UPDATE capstan_log AS l SET lease = ${later('$5')}, until = ${later('$6')}
WHERE l.id = $1 AND l.counter = 0 AND l.body = $2 AND l.writer = $3 AND l.kind = 'open' AND NOT ${GONE}
  AND ${lastOf("'log:' || $2::text")} >= $4::bigint
RETURNING 1`,

  /** $1 run key, $2 run, $3 writer. */
  own: `SELECT l.kind FROM capstan_log AS l
WHERE l.id = $1 AND l.counter = 0 AND l.body = $2 AND l.writer = $3 AND NOT ${GONE}`,

  /** $1 run key, $2 writer, $3 lease ms, $4 lease and ttl ms. */
  adopt: `UPDATE capstan_log AS l SET writer = $2, mailbox = NULL, lease = ${later('$3')}, until = ${later('$4')}
WHERE l.id = $1 AND l.counter = 0 AND NOT ${GONE} AND (${ORPHANED} OR (l.kind = 'open' AND l.writer = $2))
RETURNING l.body AS run`,

  /** $1 run. */
  last: `SELECT ${lastOf("'log:' || $1::text")} AS last`,

  /** $1 run key, $2 remember ms, $3 run, $4 writer ('' for whichever they are). */
  expire: `WITH gone AS (
  UPDATE capstan_log AS l SET kind = 'expired', mailbox = NULL, lease = NULL, until = ${later('$2')}
  WHERE l.id = $1 AND l.counter = 0 AND l.kind <> 'expired'
    AND ($3 = '' OR (l.kind = 'open' AND l.body = $3 AND l.writer = $4))
  RETURNING l.body)
SELECT pg_notify('${CHANNEL}', 'log:' || body) FROM gone`,

  /** $1 run key: drops the entries of a run that has expired. */
  clean: `DELETE FROM capstan_log WHERE id = (
  SELECT 'log:' || l.body FROM capstan_log AS l WHERE l.id = $1 AND l.counter = 0 AND l.kind = 'expired')`,

  /** $1 ids of logs. */
  drop: `DELETE FROM capstan_log WHERE id = ANY ($1::text[])`,

  /** $1 run key, $2 run, $3 counter before, $4 most entries, $5 most bytes. */
  read: `SELECT ${ORPHANED} AS orphaned, ${lastOf("'log:' || $2::text")} AS last, e.counter, e.kind, e.writer, e.body
FROM capstan_log AS l LEFT JOIN LATERAL (
  SELECT *, sum(octet_length(body)) OVER (ORDER BY counter) - octet_length(body) AS bytes_before FROM (
    SELECT counter, kind, writer, body FROM capstan_log
    WHERE id = 'log:' || $2::text AND counter > $3::bigint ORDER BY counter LIMIT $4::int) AS entry
) AS e ON e.bytes_before < $5::bigint
WHERE l.id = $1 AND l.counter = 0 AND l.body = $2 AND NOT ${GONE} ORDER BY e.counter`,

  /** $1 run key, $2 text, $3 ms to keep it, $4 remember ms. */
  command: `WITH head AS (
  SELECT l.body AS run, l.mailbox, CASE WHEN ${forgotten('$4')} THEN 'unknown' WHEN ${GONE} THEN 'expired'
    WHEN l.kind = 'closed' THEN 'closed' WHEN ${ORPHANED} THEN 'orphaned' WHEN l.mailbox IS NULL THEN 'unavailable'
    ELSE 'sent' END AS state
  FROM capstan_log AS l WHERE l.id = $1 AND l.counter = 0),
sent AS (
  INSERT INTO capstan_log (id, counter, kind, writer, body, until)
  SELECT 'mailbox:' || head.mailbox, ${LETTER_COUNTER}, 'letter', '', $2, ${later('$3')} FROM head WHERE head.state = 'sent'
  RETURNING id)
SELECT head.state, head.run, (SELECT pg_notify('${CHANNEL}', id) FROM sent) FROM head`,

  /** $1 mailbox, $2 text, $3 ms to keep it. */
  post: `WITH sent AS (
  INSERT INTO capstan_log (id, counter, kind, writer, body, until)
  VALUES ($1, ${LETTER_COUNTER}, 'letter', '', $2, ${later('$3')}) RETURNING id)
SELECT pg_notify('${CHANNEL}', id) FROM sent`,

  /** $1 mailbox. */
  letters: `WITH taken AS (DELETE FROM capstan_log WHERE id = $1 RETURNING counter, body)
SELECT body FROM taken ORDER BY counter`,

  /** $1 most bytes, $2 remember ms: expires the oldest finished runs. */
  shrink: `WITH ranked AS (
  SELECT id, sum(bytes) OVER (ORDER BY until DESC, id) AS total FROM capstan_log
  WHERE kind = 'closed' AND until > ${NOW}),
gone AS (
  UPDATE capstan_log AS l SET kind = 'expired', until = ${later('$2')} FROM ranked
  WHERE l.id = ranked.id AND l.counter = 0 AND l.kind = 'closed' AND ranked.total > $1::bigint
  RETURNING l.body)
SELECT 'log:' || body AS log, pg_notify('${CHANNEL}', 'log:' || body) FROM gone`,

  /** $1 remember ms. */
  overdue: `WITH due AS (
  SELECT id FROM capstan_log WHERE until <= ${NOW} AND kind IN ('open', 'closed') ORDER BY until LIMIT 1000
  FOR UPDATE SKIP LOCKED)
UPDATE capstan_log AS l SET kind = 'expired', mailbox = NULL, lease = NULL,
  until = l.until + $1::float8 * interval '1 millisecond'
FROM due WHERE l.id = due.id AND l.counter = 0 RETURNING 'log:' || l.body AS log`,

  forget: `WITH due AS (
  SELECT id, counter FROM capstan_log WHERE until <= ${NOW} AND kind IN ('expired', 'letter') ORDER BY until LIMIT 1000
  FOR UPDATE SKIP LOCKED)
DELETE FROM capstan_log AS l USING due WHERE l.id = due.id AND l.counter = due.counter
RETURNING CASE l.kind WHEN 'expired' THEN 'log:' || l.body END AS log`,
} as const

export function createPostgresRunStore(options: PostgresRunStoreOptions): PostgresRunStore {
  const { queries, leaseMs, ttlMs, rememberMs, maxBytes, keepLettersMs } = options
  const goneMs = leaseMs + ttlMs
  const run = (name: keyof typeof SQL, ...values: readonly unknown[]): Promise<readonly PostgresRow[]> =>
    queries.run(SQL[name], values)
  const dropLogs = async (rows: readonly PostgresRow[]): Promise<void> => {
    const logs = rows.map((row) => textOf(row['log'])).filter((log) => log !== '')
    if (logs.length > 0) await run('drop', logs)
  }
  const expire: RunStore['expire'] = async (key, only) => {
    const id = await runIdOf(key)
    await run('expire', id, rememberMs, only?.run ?? '', only?.writer ?? '')
    await run('clean', id)
  }
  /** A run that is still open under this writer, but for entries that are no longer there. */
  const hasLostEntries = async ({ key, id }: LeasedRun, writer: string): Promise<boolean> => {
    const [own] = await run('own', await runIdOf(key), id, writer)
    if (own?.['kind'] !== 'open') return false
    await expire(key, { run: id, writer })
    return true
  }
  const readPart: PostgresRunStore['readPart'] = async ({ key, id }, after) => {
    const rows = await run('read', await runIdOf(key), id, after, MOST_ENTRIES, MOST_BYTES)
    const [first] = rows
    if (first === undefined || first['last'] === null) return undefined
    const items = rows.flatMap((row) => (row['counter'] === null ? [] : [itemOf(row)]))
    return { items, last: Number(first['last']), isOrphaned: first['orphaned'] === true }
  }

  return {
    countsBytes: maxBytes !== undefined,
    expire,
    readPart,
    async begin(key, { run: id, writer, mailbox, restart }) {
      for (;;) {
        const [row] = await run(
          'begin',
          ...[await runIdOf(key), id, writer, mailbox, leaseMs, goneMs, rememberMs, restart],
        )
        // The row of another caller was committed after this statement had begun.
        if (row === undefined) continue
        if (row['state'] === 'expired') return { state: 'expired' }
        if (row['state'] !== 'created') return { state: 'exists', id: textOf(row['run']) }
        const before = textOf(row['before'])
        // Nothing can be added to it any more.
        if (before !== '' && before !== id) await run('drop', [logOf(before)])
        return { state: 'created', id }
      }
    },
    async find(key) {
      const [row] = await run('find', await runIdOf(key), rememberMs)
      if (row?.['state'] === 'exists') return { state: 'exists', id: textOf(row['run']) }
      return { state: row?.['state'] === 'expired' ? 'expired' : 'unknown' }
    },
    async adopt(key, writer) {
      const [row] = await run('adopt', await runIdOf(key), writer, leaseMs, goneMs)
      if (row === undefined) return undefined
      const id = textOf(row['run'])
      // The writer before can add nothing now.
      const [place] = await run('last', id)
      return { id, end: Number(place?.['last'] ?? 0) }
    },
    async append(leased, writer, after, mark, entries) {
      const escaped = entries.map((entry) => escapeEntry(letterOf(entry), entryText(entry)))
      const [row] = await run(
        'append',
        ...[await runIdOf(leased.key), leased.id, writer, after, mark],
        escaped.map(({ kind }) => kind),
        escaped.map(({ body }) => body),
      )
      if (row === undefined) return false
      // The last counter before this statement, or after an earlier attempt whose reply was lost.
      const last = Number(row['last'])
      if (last === after || last === after + entries.length) return true
      await expire(leased.key, { run: leased.id, writer })
      return false
    },
    async close({ key, id }, writer, last, mark, bytes) {
      const closed = await run('close', await runIdOf(key), id, writer, last, ttlMs, bytes, mark)
      if (closed.length === 0) {
        if (await hasLostEntries({ key, id }, writer)) return 'shortened'
        const [own] = await run('own', await runIdOf(key), id, writer)
        return own?.['kind'] === 'closed' ? 'closed' : 'lost'
      }
      if (maxBytes !== undefined) await dropLogs(await run('shrink', maxBytes, rememberMs))
      return 'closed'
    },
    async beat({ key, id }, writer, last) {
      const renewed = await run('beat', await runIdOf(key), id, writer, last, leaseMs, goneMs)
      if (renewed.length > 0) return true
      await hasLostEntries({ key, id }, writer)
      return false
    },
    async read(leased, after) {
      const part = await readPart(leased, after)
      if (part === undefined || part.last < after) return 'gone'
      if (part.items.length === 0 && part.isOrphaned) return 'orphaned'
      return { items: part.items, more: (part.items.at(-1)?.counter ?? after) < part.last }
    },
    async sendCommand(key, text) {
      const [row] = await run('command', await runIdOf(key), text, keepLettersMs, rememberMs)
      const state = row === undefined ? 'unknown' : row['state']
      if (state === 'closed' || state === 'orphaned') return { state, id: textOf(row?.['run']) }
      return { state: state === 'sent' || state === 'expired' || state === 'unknown' ? state : 'unavailable' }
    },
    async post(mailbox, text) {
      await run('post', mailboxOf(mailbox), text, keepLettersMs)
    },
    async takeLetters(mailbox) {
      return (await run('letters', mailboxOf(mailbox))).map((row) => textOf(row['body']))
    },
    async sweep() {
      await dropLogs(await run('overdue', rememberMs))
      await dropLogs(await run('forget'))
    },
  }
}

/** Longest key that is readable in the table: an index takes values of at most 2.7 kB. */
const LONGEST_KEY = 400

/** Id of the row of a run. Postgres has no text with NUL. */
async function runIdOf(key: string): Promise<string> {
  const id = `run:${key.replaceAll('%', '%25').replaceAll('\0', '%00')}`
  if (id.length <= LONGEST_KEY) return id
  const digest = await systemDigest(key)
  return `key:${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Kinds of entries whose text is escaped, because it holds a NUL, are in capitals. */
function escapeEntry(kind: string, text: string): { readonly kind: string; readonly body: string } {
  if (!text.includes('\0')) return { kind, body: text }
  return { kind: kind.toUpperCase(), body: text.replaceAll('%', '%25').replaceAll('\0', '%00') }
}

function itemOf(row: PostgresRow): StoredEntry {
  const [kind, body] = [textOf(row['kind']), textOf(row['body'])]
  const plain = kind.toLowerCase()
  return {
    counter: Number(row['counter']),
    kind: plain,
    text: plain === kind ? body : body.replaceAll('%00', '\0').replaceAll('%25', '%'),
    writer: textOf(row['writer']),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
