import { AgentError } from '../../../base/agent-error.ts'
import { type LogEntry, COMMAND_NAMES } from '../event-log.ts'
import type { SqliteDatabase, SqliteRow } from './sqlite-database.ts'
import { inTransaction, readRows } from './sqlite-database.ts'

/** A run as the database has it. */
export interface StoredRun {
  readonly id: number
  readonly state: 'open' | 'closed' | 'expired'
  /** Its writer is of a process that had the database before. */
  readonly isOrphaned: boolean
}

/** Entries after a counter. */
export interface StoredSlice {
  readonly entries: readonly LogEntry[]
  readonly end: number
  /** Nothing more is stored. */
  readonly isLast: boolean
}

/** The tables of an event log: each method is one transaction. All reject with a TRANSIENT AgentError what the database does not do. */
export interface SqliteRuns {
  find(key: string): StoredRun | undefined
  byId(id: number): StoredRun | undefined
  /** Begins a run, where there is none under the key. @param restart also where it has expired, or is orphaned */
  begin(key: string, writer: string, restart: boolean): { readonly run: StoredRun; readonly isNew: boolean }
  /** False when the writer is no longer that of the run. */
  append(id: number, writer: string, after: number, entries: readonly LogEntry[]): boolean
  /** False when the writer is no longer that of the run. */
  close(id: number, writer: string): boolean
  /** Drops the entries of a run. @param writer only if it is open and this is its writer. Absent: in any case */
  expire(id: number, writer?: string): boolean
  /** Makes this the writer of an orphaned run, and gives the counter of its last entry. Undefined: it is not orphaned. */
  adopt(key: string, writer: string): { readonly id: number; readonly end: number } | undefined
  read(id: number, after: number): StoredSlice
  /** Drops what is overdue, and the oldest of what is too much. Gives the ids of the runs that expired. */
  sweep(): readonly number[]
}

export interface SqliteRunsOptions {
  readonly database: SqliteDatabase
  /** Begins the name of every table. */
  readonly prefix: string
  /** Names this process: the one that opened the database last may write. */
  readonly process: string
  readonly ttlMs: number
  readonly rememberMs: number
  readonly maxBytes: number
  /** Epoch milliseconds. */
  date(): number
}

/** Most UTF-16 units that a slow reader gets in one slice, or one entry. */
const SLICE_LENGTH = 65_536
/** Most entries of a slice. */
const SLICE_ENTRIES = 256

const KINDS = { stream: 's', frame: 'f', response: 'r' } as const

export function createSqliteRuns(options: SqliteRunsOptions): SqliteRuns {
  const { database, prefix, process, ttlMs, rememberMs, maxBytes, date } = options
  const [runs, entries, owners] = [`${prefix}runs`, `${prefix}entries`, `${prefix}owners`]
  inTransaction(database, () => {
    database.exec(`
CREATE TABLE IF NOT EXISTS ${runs} (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, state TEXT NOT NULL,
  process TEXT NOT NULL, writer TEXT NOT NULL, changed_at INTEGER NOT NULL, ended INTEGER NOT NULL, bytes INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS ${runs}_by_end ON ${runs} (state, ended);
CREATE TABLE IF NOT EXISTS ${entries} (run INTEGER NOT NULL, counter INTEGER NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY (run, counter)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ${owners} (version INTEGER PRIMARY KEY, process TEXT NOT NULL);`)
    database.prepare(`INSERT OR REPLACE INTO ${owners} (version, process) VALUES (1, ?)`).run(process)
  })
  const run = 'id, state, process'
  const sql = {
    owner: database.prepare(`SELECT process FROM ${owners} WHERE version = 1`),
    byKey: database.prepare(`SELECT ${run} FROM ${runs} WHERE key = ?`),
    byId: database.prepare(`SELECT ${run} FROM ${runs} WHERE id = ?`),
    own: database.prepare(`SELECT id FROM ${runs} WHERE id = ? AND writer = ? AND state = 'open'`),
    forget: database.prepare(`DELETE FROM ${runs} WHERE key = ?`),
    add: database.prepare(
      `INSERT INTO ${runs} (key, state, process, writer, changed_at, ended, bytes) VALUES (?, 'open', ?, ?, ?, 0, 0)`,
    ),
    adopt: database.prepare(`UPDATE ${runs} SET process = ?, writer = ? WHERE id = ?`),
    append: database.prepare(`INSERT INTO ${entries} (run, counter, kind, body) VALUES (?, ?, ?, ?)`),
    last: database.prepare(`SELECT MAX(counter) AS last FROM ${entries} WHERE run = ?`),
    close: database.prepare(
      `UPDATE ${runs} SET state = 'closed', changed_at = ?, ended = (SELECT MAX(ended) + 1 FROM ${runs}),
        bytes = (SELECT COALESCE(SUM(LENGTH(body)), 0) FROM ${entries} WHERE run = ?) WHERE id = ?`,
    ),
    drop: database.prepare(`DELETE FROM ${entries} WHERE run = ?`),
    expire: database.prepare(`UPDATE ${runs} SET state = 'expired', changed_at = ? WHERE id = ?`),
    read: database.prepare(
      `SELECT counter, kind, body FROM ${entries} WHERE run = ? AND counter > ? ORDER BY counter LIMIT ${SLICE_ENTRIES}`,
    ),
    closed: database.prepare(`SELECT id, changed_at, bytes FROM ${runs} WHERE state = 'closed' ORDER BY ended`),
    total: database.prepare(
      `SELECT COALESCE(SUM(bytes), 0) AS total, COALESCE(MIN(changed_at), 0) AS oldest FROM ${runs} WHERE state = 'closed'`,
    ),
    remembered: database.prepare(`DELETE FROM ${runs} WHERE state = 'expired' AND changed_at <= ?`),
  }

  const toRun = (row: SqliteRow | undefined): StoredRun | undefined => {
    if (row === undefined) return undefined
    const state = row.text('state')
    return {
      id: row.number('id'),
      state: state === 'open' || state === 'closed' ? state : 'expired',
      isOrphaned: state === 'open' && row.text('process') !== process,
    }
  }
  const lastOf = (id: number): number => readRows(sql.last, id)[0]?.number('last') ?? 0
  const isWriter = (id: number, writer: string): boolean => readRows(sql.own, id, writer).length > 0

  /** A transaction that writes. @throws AgentError TRANSIENT when another process has opened the database since */
  function write<Value>(work: () => Value): Value {
    return inTransaction(database, () => {
      if (readRows(sql.owner)[0]?.text('process') !== process) throw replaced()
      return work()
    })
  }

  function expire(id: number): void {
    sql.drop.run(id)
    sql.expire.run(date(), id)
  }

  return {
    find: (key) => toRun(readRows(sql.byKey, key)[0]),
    byId: (id) => toRun(readRows(sql.byId, id)[0]),
    begin: (key, writer, restart) =>
      write(() => {
        const known = toRun(readRows(sql.byKey, key)[0])
        const isGone = known?.state === 'expired' || known?.isOrphaned === true
        if (known !== undefined && !(restart && isGone)) return { run: known, isNew: false }
        if (known !== undefined) sql.drop.run(known.id)
        sql.forget.run(key)
        sql.add.run(key, process, writer, date())
        const begun = toRun(readRows(sql.byKey, key)[0])
        if (begun === undefined) throw new Error('A run that was added is not there.')
        return { run: begun, isNew: true }
      }),
    append: (id, writer, after, added) =>
      write(() => {
        if (!isWriter(id, writer)) return false
        for (const [at, entry] of added.entries()) sql.append.run(id, after + at + 1, KINDS[entry.kind], bodyOf(entry))
        return true
      }),
    close: (id, writer) =>
      write(() => {
        if (!isWriter(id, writer)) return false
        sql.close.run(date(), id, id)
        return true
      }),
    expire: (id, writer) =>
      write(() => {
        if (writer !== undefined && !isWriter(id, writer)) return false
        expire(id)
        return true
      }),
    adopt: (key, writer) =>
      write(() => {
        const known = toRun(readRows(sql.byKey, key)[0])
        if (known?.isOrphaned !== true) return undefined
        sql.adopt.run(process, writer, known.id)
        return { id: known.id, end: lastOf(known.id) }
      }),
    read(id, after) {
      const found: LogEntry[] = []
      let end = after
      let length = 0
      for (const row of readRows(sql.read, id, after)) {
        if (length >= SLICE_LENGTH) break
        const entry = entryOf(row)
        found.push(entry)
        end = row.number('counter')
        length += entry.kind === 'stream' ? 0 : entry.text.length
      }
      return { entries: found, end, isLast: end >= lastOf(id) }
    },
    sweep() {
      const [sum] = readRows(sql.total)
      const isDue = sum !== undefined && (sum.number('total') > maxBytes || isOver(sum.number('oldest')))
      const gone: number[] = []
      if (!isDue) return gone
      write(() => {
        let left = sum.number('total')
        for (const row of readRows(sql.closed)) {
          if (left <= maxBytes && !isOver(row.number('changed_at'))) break
          left -= row.number('bytes')
          gone.push(row.number('id'))
          expire(row.number('id'))
        }
        sql.remembered.run(date() - rememberMs)
      })
      return gone
    },
  }

  function isOver(endedAt: number): boolean {
    return endedAt > 0 && endedAt + ttlMs <= date()
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes, because drivers cut a text at its first NUL. */
function bodyOf(entry: LogEntry): Uint8Array {
  return encoder.encode(entry.kind === 'stream' ? (entry.control ?? []).join(' ') : entry.text)
}

function entryOf(row: SqliteRow): LogEntry {
  const text = decoder.decode(row.bytes('body'))
  switch (row.text('kind')) {
    case KINDS.frame:
      return { kind: 'frame', text }
    case KINDS.response:
      return { kind: 'response', text }
    default: {
      const control = COMMAND_NAMES.filter((name) => text.split(' ').includes(name))
      return control.length === 0 ? { kind: 'stream' } : { kind: 'stream', control }
    }
  }
}

function replaced(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'busy',
    severity: 'TRANSIENT',
    message: 'Another process has opened the SQLite database of the event log since: this one writes no more.',
  })
}
