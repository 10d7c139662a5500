import type { Clock } from '../../../src/base/ports/clock.ts'
import type { EventLog } from '../../../src/server.ts'
import type { AttemptRecord, Ending, RunRecord } from './network-state.ts'

type Changing<Record> = { -readonly [Key in keyof Record]: Record[Key] }

interface RecordedRun extends Omit<Changing<RunRecord>, 'attempts' | 'logBytes' | 'log'> {
  log: string
  attempts: Changing<AttemptRecord>[]
}

/** A handle on the record of one connection. */
export interface OpenAttempt {
  readonly attempt: number
  answered(status: number): void
  sent(bytes: number): void
  silenced(silent: boolean): void
  /** The first ending is the true one. */
  ended(ending: Exclude<Ending, 'open'>): void
}

export interface NetworkRecords {
  start(
    requestId: string,
    scenario: string | undefined,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): OpenAttempt
  agentStarted(requestId: string): void
  /** An event log that also writes down what it is given. */
  observe(log: EventLog): EventLog
  list(requestId?: string): RunRecord[]
  clear(): void
}

const MOST_RUNS = 50
const SECRET_HEADERS = new Set(['authorization', 'cookie'])

export function createNetworkRecords(clock: Clock): NetworkRecords {
  const runs = new Map<string, RecordedRun>()

  const recordOf = (requestId: string): RecordedRun => {
    const known = runs.get(requestId)
    if (known) return known
    const run: RecordedRun = { requestId, agentRuns: 0, log: '', attempts: [] }
    runs.set(requestId, run)
    const [oldest] = runs.keys()
    if (runs.size > MOST_RUNS && oldest !== undefined) runs.delete(oldest)
    return run
  }

  return {
    start(requestId, scenario, headers) {
      const run = recordOf(requestId)
      if (scenario !== undefined) run.scenario = scenario
      const lastEventId = headers['last-event-id']
      const record: Changing<AttemptRecord> = {
        attempt: run.attempts.length + 1,
        startedAt: clock.date(),
        headers: publicHeaders(headers),
        bytes: 0,
        silent: false,
        ending: 'open',
        ...(typeof lastEventId === 'string' && { lastEventId }),
      }
      run.attempts.push(record)
      return {
        attempt: record.attempt,
        answered: (status) => {
          record.status = status
        },
        sent: (bytes) => {
          record.bytes += bytes
        },
        silenced: (silent) => {
          record.silent = silent
        },
        ended: (ending) => {
          if (record.ending !== 'open') return
          record.ending = ending
          record.endedAt = clock.date()
        },
      }
    },
    agentStarted(requestId) {
      recordOf(requestId).agentRuns += 1
    },
    observe: (log) => ({
      ...log,
      async begin(key, options) {
        const begun = await log.begin(key, options)
        if (begun.state !== 'created') return begun
        const run = recordOf(key)
        run.log = ''
        const { writer } = begun
        return {
          ...begun,
          writer: {
            ...writer,
            append: async (entry) => {
              await writer.append(entry)
              if (entry.kind !== 'stream') run.log += entry.text
            },
          },
        }
      },
    }),
    list(requestId) {
      const wanted =
        requestId === undefined
          ? [...runs.values()].toReversed()
          : [runs.get(requestId)].filter((run) => run !== undefined)
      return wanted.map(({ log, attempts, ...run }) => ({
        ...run,
        logBytes: Buffer.byteLength(log),
        ...(requestId !== undefined && { log }),
        attempts: attempts.map((attempt) => ({ ...attempt })),
      }))
    },
    clear: () => runs.clear(),
  }
}

function publicHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).filter(([name, value]) => value !== undefined && !SECRET_HEADERS.has(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}
