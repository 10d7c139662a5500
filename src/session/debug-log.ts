import type { AgentError } from '../base/agent-error.ts'
import type { Clock } from '../base/ports/clock.ts'
import { systemClock } from '../base/ports/clock.ts'
import type { AgentEvent } from '../seam/agent-event.ts'
import type { Cursor } from '../seam/protocol.ts'
import type { Connection } from './connection.ts'
import type { SessionObserver } from './agent-client.ts'

export interface DebugLogOptions {
  /**
   * Receives each line.
   *
   * @default `console.debug`
   */
  readonly print?: ((line: string) => void) | undefined
  /**
   * Whether packets are printed too, or transitions only.
   *
   * @default true
   */
  readonly packets?: boolean | undefined
  /** @default the system's clock */
  readonly clock?: Clock | undefined
}

/** Letters of an event that are printed. */
const MOST_LETTERS = 120

/**
 * Debug log of sessions: prints each transition of the connection and each packet, one line each, with the milliseconds since
 * the run began. Lines contain what users and agents write: use it while you develop.
 *
 * @example
 * ```ts
 * import { CapClient, createDebugLog } from 'capstan'
 *
 * const client = new CapClient({ baseUrl: '/api/agent', observer: createDebugLog() })
 * // capstan 9b1deb4d     0 ms  idle -> connecting (started)
 * // capstan 9b1deb4d   112 ms  connecting -> streaming (opened)
 * // capstan 9b1deb4d   113 ms  #1 text "Rivers"
 * ```
 */
export function createDebugLog({
  print = printToConsole,
  packets = true,
  clock = systemClock,
}: DebugLogOptions = {}): SessionObserver {
  /** Runs that have not ended: when they began, and how far each of their streams was read. */
  const runs = new Map<string, { readonly startedAt: number; readonly read: Map<string, number> }>()

  function write(requestId: string, text: string): void {
    const run = runs.get(requestId) ?? { startedAt: clock.now(), read: new Map() }
    runs.set(requestId, run)
    const time = String(Math.round(clock.now() - run.startedAt)).padStart(5)
    print(`capstan ${requestId.slice(0, 8)} ${time} ms  ${text}`)
  }

  /** Whether a packet of this stream with this number, or a higher one, was printed before. */
  function isRepeated(requestId: string, { streamId, seq }: Cursor): boolean {
    const read = runs.get(requestId)?.read
    if (seq === undefined || read === undefined) return false
    if (seq <= (read.get(streamId) ?? -1)) return true
    read.set(streamId, seq)
    return false
  }

  return (observation) => {
    const { requestId } = observation
    if (observation.type === 'transition') {
      const { input, before, after } = observation
      const from = before.phase === after.phase ? '' : `${before.phase} -> `
      write(requestId, `${from}${after.phase} (${input.type})${reasonOf(before, after, clock.now())}`)
      if (after.phase === 'closed' || after.phase === 'stopped') runs.delete(requestId)
    } else if (packets) {
      for (const { event, events, cursor } of observation.batch.deliveries) {
        const number = cursor?.seq === undefined ? '' : `#${cursor.seq} `
        const repeated = cursor !== undefined && isRepeated(requestId, cursor) ? ' (duplicate, ignored)' : ''
        write(
          requestId,
          `${number}${(event === undefined ? events : [event]).map(describeEvent).join(', ')}${repeated}`,
        )
      }
    }
  }
}

/** Why a connection was lost, once, and when the next attempt comes. */
function reasonOf(before: Connection, { error, attempt, maxAttempts, nextRetryAt }: Connection, now: number): string {
  const because = error === undefined || error === before.error ? '' : `: ${describe(error)}`
  return nextRetryAt === undefined
    ? because
    : `${because}; attempt ${attempt} of ${maxAttempts} in ${Math.max(0, Math.round(nextRetryAt - now))} ms`
}

function describeEvent(event: AgentEvent): string {
  switch (event.type) {
    case 'text':
      return `text ${shorten(JSON.stringify(event.text))}`
    case 'part':
      return `part ${event.part.type} ${shorten(JSON.stringify(event.part))}`
    case 'warning':
    case 'stream-interrupted':
    case 'stream-failed':
      return `${event.type}: ${describe(event.error)}`
    default: {
      const { type, ...fields } = event
      return `${type} ${shorten(JSON.stringify(fields))}`
    }
  }
}

function describe({ severity, code, message }: AgentError): string {
  return shorten(`${severity} ${code} ${JSON.stringify(message)}`)
}

function shorten(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text
}

function printToConsole(line: string): void {
  // oxlint-disable-next-line no-console -- printing is what the developer asked for
  console.debug(line)
}
