import type { Clock } from '../base/ports/clock.ts'
import type { Agent } from '../server/run/agent.ts'
import type { AgentHandlerOptions } from '../server/handler/agent-handler.ts'
import { createAgentHandler } from '../server/handler/agent-handler.ts'
import type { EventLog } from '../server/event-log/event-log.ts'
import { memoryEventLog } from '../server/event-log/memory-event-log.ts'
import type { ConnectionFault, ConnectionStep } from './connection-fault.ts'
import type { CommandFaults, SeenCommand } from './command-fault.ts'
import { carryCommand, seenCommand } from './command-fault.ts'
import { breakConnection, framesOf } from './connection-fault.ts'

/** What happens to a whole attempt, before any packet of it. */
export type AttemptFault =
  /** No connection: the agent never receives the request. */
  | { readonly type: 'refuse' }
  /** The agent receives the request and runs, and the connection breaks before its headers. */
  | { readonly type: 'lose-answer' }
  /** The request is taken and never answered. */
  | { readonly type: 'mute' }
  /** Status 200 of an event stream, and not a byte in it. */
  | { readonly type: 'empty' }
  /** An HTTP status in place of an answer. `retryAfter`: seconds, or a date as HTTP writes it. */
  | {
      readonly type: 'status'
      readonly status: number
      readonly retryAfter?: number | string
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** Status 200 of something that is no agent: a hotel's login page unless said otherwise. With `text/event-stream`, any bytes you like. */
  | { readonly type: 'page'; readonly contentType?: string; readonly body?: string | Uint8Array<ArrayBuffer> }
  | { readonly type: 'redirect'; readonly status: 301 | 302 | 303 | 307 | 308; readonly location: string }
  /** The server forgets the run, as after a crash: it refuses with 409 (`conflict`) or begins again under a new stream id (`restart`, the default). */
  | { readonly type: 'lose-log'; readonly answer?: 'restart' | 'conflict' }

/** One connection attempt as the server saw it. */
export interface SeenAttempt {
  readonly requestId: string
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly lastEventId: string | undefined
  /** Milliseconds on the clock of the agent. */
  readonly at: number
}

/** What becomes of an attempt. */
export type Outcome =
  | { readonly type: 'reset' | 'hang' }
  | { readonly type: 'answer'; readonly head: Response; readonly steps: AsyncGenerator<ConnectionStep, void, void> }

/** An agent behind the real handler, and what goes wrong on the way to it. */
export interface FaultyAgent {
  readonly attempts: readonly SeenAttempt[]
  /** How often the agent was started. */
  readonly runs: number
  /** All text of the last run, as the agent said it: what a chat has to show in the end. */
  readonly text: string
  /** Every request on a control endpoint, in order. */
  readonly commands: readonly SeenCommand[]
  /** @param body the request's, read already: a test wants to compare it */
  take(http: Request, body: string, fault: AttemptFault | ConnectionFault | undefined): Promise<Outcome>
}

export interface FaultyAgentOptions extends Pick<AgentHandlerOptions, 'heartbeatMs' | 'uuid'> {
  readonly agent: Agent
  readonly clock: Clock
  readonly commandFaults?: CommandFaults | undefined
  /** Whether runs take commands. @default true */
  readonly control?: boolean | undefined
}

export function createFaultyAgent({
  agent,
  clock,
  commandFaults = [],
  control = true,
  ...rest
}: FaultyAgentOptions): FaultyAgent {
  const attempts: SeenAttempt[] = []
  const commands: SeenCommand[] = []
  let runs = 0
  let said: string[] = []
  const memory = memoryEventLog({ clock })
  const log = observed(memory, {
    begun: () => {
      said = []
    },
    heard: (frame) => said.push(frame),
    control,
  })
  const counted: Agent = (request, run) => {
    runs += 1
    return agent(request, run)
  }
  const options = { agent: counted, log, clock, onError: () => {}, ...rest }
  const handler = createAgentHandler(options)
  const restarting = createAgentHandler({ ...options, onExpired: 'restart' })

  const send = (http: Request, body: string, to = handler): Promise<Response> =>
    to(
      new Request(http.url, {
        method: http.method,
        headers: http.headers,
        signal: http.signal,
        ...(http.method === 'POST' && { body }),
      }),
    )

  const carry = async (http: Request, body: string, command: SeenCommand): Promise<Outcome> => {
    const ordinal = commands.push(command) - 1
    const fault = typeof commandFaults === 'function' ? commandFaults(command, ordinal) : commandFaults[ordinal]
    const head = await carryCommand(() => send(http, body), fault, clock)
    return head === undefined ? { type: 'reset' } : { type: 'answer', head, steps: stepsOf(head, undefined) }
  }

  return {
    attempts,
    commands,
    get runs() {
      return runs
    },
    get text() {
      return said.map(textOfFrame).join('')
    },
    async take(http, body, fault) {
      const command = seenCommand(http, body, clock.now())
      if (command !== undefined) return carry(http, body, command)
      const headers = Object.fromEntries(http.headers)
      const requestId = requestIdOf(headers, body)
      attempts.push({ requestId, headers, body, lastEventId: headers['last-event-id'], at: clock.now() })
      if (fault?.type === 'refuse') return { type: 'reset' }
      if (fault?.type === 'mute') return { type: 'hang' }
      const instead = responseInstead(fault)
      if (instead !== undefined) return { type: 'answer', head: instead, steps: stepsOf(instead, undefined) }
      if (fault?.type === 'lose-log') await memory.expire(requestId)
      const isRestarted = fault?.type === 'lose-log' && fault.answer !== 'conflict'
      const response = await send(http, body, isRestarted ? restarting : handler)
      if (fault?.type === 'lose-answer') {
        response.body?.cancel().catch(() => undefined)
        return { type: 'reset' }
      }
      return { type: 'answer', head: response, steps: stepsOf(response, isConnectionFault(fault) ? fault : undefined) }
    },
  }
}

/** The header is optional (CAP section 6, rule 2). */
export function requestIdOf(headers: Readonly<Record<string, string>>, body: string): string {
  return headers['x-request-id'] ?? /"request_id":\s*"([^"]*)"/.exec(body)?.[1] ?? ''
}

function isConnectionFault(fault: AttemptFault | ConnectionFault | undefined): fault is ConnectionFault {
  return (
    fault !== undefined &&
    !['refuse', 'lose-answer', 'mute', 'empty', 'status', 'page', 'redirect', 'lose-log'].includes(fault.type)
  )
}

function stepsOf(response: Response, fault: ConnectionFault | undefined): AsyncGenerator<ConnectionStep, void, void> {
  const frames = response.body === null ? none() : framesOf(response.body)
  return breakConnection(frames, fault)
}

async function* none(): AsyncGenerator<string, void> {}

const LOGIN_PAGE = '<!doctype html><title>Welcome</title><h1>Sign in to the network</h1><script>alert(1)</script>'

/** The response of a fault that never lets the agent answer. */
function responseInstead(fault: AttemptFault | ConnectionFault | undefined): Response | undefined {
  switch (fault?.type) {
    case 'empty':
      return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
    case 'page':
      return new Response(fault.body ?? LOGIN_PAGE, {
        headers: { 'content-type': fault.contentType ?? 'text/html; charset=utf-8' },
      })
    case 'redirect':
      return new Response(null, { status: fault.status, headers: { location: fault.location } })
    case 'status': {
      const headers = new Headers({ 'content-type': 'text/plain', ...fault.headers })
      if (fault.retryAfter !== undefined) headers.set('retry-after', String(fault.retryAfter))
      const bodiless = fault.status === 204 || fault.status === 304
      return new Response(bodiless ? null : (fault.body ?? ''), { status: fault.status, headers })
    }
    default:
      return undefined
  }
}

/** An event log that also reports its entries. */
function observed(
  log: EventLog,
  on: { begun(): void; heard(frame: string): void; readonly control: boolean },
): EventLog {
  const { command, ...rest } = log
  return {
    ...rest,
    ...(on.control && command !== undefined && { command }),
    async begin(key, options) {
      const begun = await log.begin(key, options)
      if (begun.state !== 'created') return begun
      on.begun()
      const { writer } = begun
      return {
        ...begun,
        writer: {
          ...writer,
          async append(entry) {
            await writer.append(entry)
            if (entry.kind === 'frame') on.heard(entry.text)
          },
        },
      }
    },
  }
}

function textOfFrame(frame: string): string {
  const data = frame.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
  // The handler wrote it: a packet of the schema of record.
  const packet = JSON.parse(data.join('\n')) as { readonly op: string; readonly p: string }
  return packet.op === 'DELTA' ? packet.p : ''
}
