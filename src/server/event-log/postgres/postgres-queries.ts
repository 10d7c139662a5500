import { type AgentErrorInit, AgentError } from '../../../base/agent-error.ts'
import { type Clock, delay, within } from '../../../base/ports/clock.ts'

/** Statements, each on a connection of the pool and in its own transaction. */
export interface PostgresQueries {
  /**
   * Runs a statement. It is repeated while the database cannot be reached, so it must be idempotent.
   *
   * @throws AgentError TRANSIENT when there is no answer in time, no space, or no right to write; FATAL when the database is damaged or
   *   refuses the statement; no other errors
   */
  run(text: string, values: readonly unknown[]): Promise<readonly PostgresRow[]>
  /** A connection for its caller alone, who ends it with `release(true)`. Rejects with what the pool rejects with. */
  connect(): Promise<PostgresClient>
}

const FIRST_WAIT_MS = 20

const LONGEST_WAIT_MS = 500

type Failure = Pick<AgentErrorInit, 'code' | 'severity' | 'message'>

const UNAVAILABLE: Failure = {
  code: 'storage_unavailable',
  severity: 'TRANSIENT',
  message:
    'The Postgres of the event log answers, but does not carry out its statements. Check its disk, whether it is a standby, and what its user may do. See the cause.',
}

/** What Postgres reports, by SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const FAILURES: readonly {
  readonly states: RegExp
  /** The same statement may succeed in a moment. */
  readonly isPassing?: boolean
  readonly failure: Failure
}[] = [
  {
    // Starting or stopping, a standby before its promotion, no connection free, a conflict of transactions, a lock that was not granted.
    states: /^(?:08...|57P0[1-5]|25006|53300|40...|55P03|57014|23505)$/,
    isPassing: true,
    failure: UNAVAILABLE,
  },
  {
    states: /^53[124]00$/,
    failure: {
      code: 'storage_full',
      severity: 'TRANSIENT',
      message:
        'The Postgres of the event log has no space left. Give it more, or store answers for a shorter time (ttlMs, maxBytes).',
    },
  },
  {
    states: /^XX...$/,
    failure: {
      code: 'storage_corrupt',
      severity: 'FATAL',
      message:
        'The Postgres of the event log reports damaged data. Restore it from a backup, or create its table again.',
    },
  },
  {
    states: /^(?:42P01|42703)$/,
    failure: {
      code: 'invalid_config',
      severity: 'FATAL',
      message:
        'The table of the event log is absent or of another version. Create it with `npx capstan postgres schema | psql`.',
    },
  },
  { states: /^(?:42501|28...|3D000|3F000|58...)$/, failure: UNAVAILABLE },
]

const REFUSED: Failure = {
  code: 'app_error',
  severity: 'FATAL',
  message: 'The Postgres of the event log refused a statement. Check that it is version 12 or later. See the cause.',
}

/** @param commandTimeoutMs longest time until a statement succeeds or fails, with all its attempts */
export function createPostgresQueries(pool: PostgresPool, clock: Clock, commandTimeoutMs: number): PostgresQueries {
  const watched = new WeakSet<PostgresClient>()
  /** Failures show themselves where statements fail; without a listener they would end the process. */
  const watch = (client: PostgresClient): void => {
    if (watched.has(client)) return
    watched.add(client)
    client.on('error', () => {})
  }
  // A connection may fail in the same moment in which it opens, before anybody has received it.
  pool.on('connect', watch)

  const connect = async (ms: number): Promise<PostgresClient> => {
    const connecting = pool.connect()
    const client = await within(connecting, clock, ms).catch((error: unknown) => {
      // A connection that opens after all goes back to the pool.
      connecting.then(
        (late) => late.release(),
        () => {},
      )
      throw error
    })
    watch(client)
    return client
  }

  const attempt = async (
    text: string,
    values: readonly unknown[],
    deadline: number,
  ): Promise<readonly PostgresRow[]> => {
    const client = await connect(deadline - clock.now())
    try {
      const { rows } = await within(client.query(text, values), clock, deadline - clock.now())
      client.release()
      return rows
    } catch (error) {
      // Without an answer nobody knows what the connection still does.
      client.release(sqlState(error) === undefined)
      throw error
    }
  }

  return {
    connect: () => connect(commandTimeoutMs),
    async run(text, values) {
      const deadline = clock.now() + commandTimeoutMs
      let last: unknown
      for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
        try {
          return await attempt(text, values, deadline)
        } catch (error) {
          const known = knownFailure(error)
          if (sqlState(error) !== undefined && known?.isPassing !== true) throw failed(known?.failure ?? REFUSED, error)
          // An attempt that the deadline cut off says less than the one before.
          if (last === undefined || clock.now() < deadline) last = error
          if (clock.now() + wait >= deadline)
            throw sqlState(last) === undefined ? unreachable(last) : failed(UNAVAILABLE, last)
          await delay(clock, wait)
        }
      }
    },
  }
}

function knownFailure(error: unknown): (typeof FAILURES)[number] | undefined {
  const state = sqlState(error)
  return state === undefined ? undefined : FAILURES.find(({ states }) => states.test(state))
}

/** The SQLSTATE of an error that Postgres has sent; undefined for an error of the connection. */
function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code: unknown = Reflect.get(error, 'code')
  // Only Postgres says how severe an error is; codes of sockets look alike (EPIPE).
  return typeof code === 'string' && typeof Reflect.get(error, 'severity') === 'string' ? code : undefined
}

function failed(failure: Failure, cause: unknown): AgentError {
  return new AgentError({ kind: 'runtime', ...failure, cause })
}

export function unreachable(cause: unknown): AgentError {
  return new AgentError({
    kind: 'connection',
    code: 'network_error',
    severity: 'TRANSIENT',
    message: 'The event log cannot reach its Postgres. Check that it runs, and the address and the size of the pool.',
    cause,
  })
}

/**
 * Creates the table of the event log where it is absent. Statements end with a semicolon. Rows of a run: the run itself (`run:` and its
 * key, counter 0; its body is the id of the run), and its entries (`log:` and that id, from counter 1), between a mark for the beginning
 * and one for the end. Rows of a mailbox: the commands on their way to a process.
 */
export const EVENT_LOG_TABLE = `CREATE TABLE IF NOT EXISTS capstan_log (
  id TEXT COLLATE "C" NOT NULL,
  counter BIGINT NOT NULL,
  kind TEXT NOT NULL,
  writer TEXT NOT NULL,
  body TEXT NOT NULL,
  mailbox TEXT,
  bytes BIGINT,
  lease TIMESTAMPTZ,
  until TIMESTAMPTZ,
  PRIMARY KEY (id, counter)
);
CREATE INDEX IF NOT EXISTS capstan_log_until ON capstan_log (until) WHERE until IS NOT NULL;`

/** A connection of a pool: what this package calls of it. */
export interface PostgresClient {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly PostgresRow[] }>
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown
  /** @param destroy end the connection instead of keeping it for others */
  release(destroy?: boolean): void
}

/** A row of a result: its columns by their names. */
export type PostgresRow = Readonly<Record<string, unknown>>

/** A pool of connections: `new Pool()` of `pg`, or of a driver with the same methods, such as Neon's. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  /** Reports each new connection, before its first use. */
  on(event: 'connect', listener: (client: PostgresClient) => void): unknown
}
