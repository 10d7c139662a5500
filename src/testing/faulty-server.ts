/// <reference types="node" />

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../base/ports/clock.ts'
import type { Agent } from '../server/run/agent.ts'
import type { AgentHandlerOptions } from '../server/handler/agent-handler.ts'
import type { AgentOutput } from '../server/run/agent-output.ts'
import {
  type AttemptFault,
  type SeenAttempt,
  seenAttempt,
  type FaultyHandler,
  type FetchHandler,
  createFaultyHandler,
} from './faulty-answer.ts'
import { type CommandFaults, type SeenCommand, seenCommand } from './command-fault.ts'
import { type FaultyAgent, createFaultyAgent } from './faulty-agent.ts'
import type { ConnectionFault, ConnectionStep } from './connection-fault.ts'

/** How an event stream is written. Every way is one that the standard allows. */
interface StreamWriting {
  /** Bytes per write, so that every packet arrives in several pieces. Absent: each packet in one. */
  readonly pieces?: number
  /** How lines of text end. @default 'lf' */
  readonly newline?: 'lf' | 'crlf' | 'cr'
  /** Whether the stream begins with a byte order mark. @default false */
  readonly bom?: boolean
}

const LF = 10
const ENDS = { lf: [LF], crlf: [13, LF], cr: [13] }
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf)

/** The same steps with their bytes written in another way. */
async function* rewrite(
  steps: AsyncIterable<ConnectionStep>,
  { newline = 'lf', bom = false }: StreamWriting,
): AsyncGenerator<ConnectionStep, void, void> {
  if (bom) yield { type: 'send', bytes: BOM }
  const end = ENDS[newline]
  for await (const step of steps)
    yield step.type === 'send' && newline !== 'lf'
      ? { type: 'send', bytes: Uint8Array.from([...step.bytes].flatMap((byte) => (byte === LF ? end : [byte]))) }
      : step
}

// The one file of src that may name Node's own modules, and it does so when it is called: the entry point that exports it
// can be loaded by a browser.

/** A named fault, and how the stream is written that has it. */
export type ServerFault = (AttemptFault | ConnectionFault | { readonly type: 'none' }) & StreamWriting

interface FaultyConnections {
  /**
   * One fault per attempt, in order, over all requests; later attempts meet a good connection. A function is asked at each
   * attempt.
   *
   * @default []
   */
  readonly faults?:
    | readonly ServerFault[]
    | ((attempt: SeenAttempt, ordinal: number) => ServerFault | undefined)
    | undefined
}

/** An agent of CAP behind connections that break. */
export interface FaultyAgentServerOptions extends FaultyConnections, Pick<AgentHandlerOptions, 'heartbeatMs'> {
  /** What the agent says: its output, or a whole agent. */
  readonly agent: readonly AgentOutput[] | Agent
  /** Absent: the agent answers. */
  readonly handler?: undefined
  /** What goes wrong with requests on control endpoints. @default [] */
  readonly commandFaults?: CommandFaults | undefined
  /** Whether runs take commands. With `false` the server has no control endpoints. @default true */
  readonly control?: boolean | undefined
}

/** Any server behind connections that break. Every request counts as an attempt; `lose-log` means nothing to it. */
export interface FaultyHandlerServerOptions extends FaultyConnections {
  /** Answers requests: the fetch handler of any agent, or `(request) => fetch(…)` to one that runs elsewhere. */
  readonly handler: FetchHandler
  /** Absent: the handler answers. */
  readonly agent?: undefined
}

export type FaultyServerOptions = FaultyAgentServerOptions | FaultyHandlerServerOptions

export interface FaultyServer {
  /** Every request on a control endpoint, in order. They are not attempts. */
  readonly commands: readonly SeenCommand[]
  /** `http://127.0.0.1:…`: the `baseUrl` of a client. */
  readonly origin: string
  /** Every POST unchanged. */
  readonly attempts: readonly SeenAttempt[]
  /** How often the agent was started: 1 however often the connection broke. Of a handler, how often it was called. */
  readonly runs: number
  /** All text of the last run. Empty for a handler. */
  readonly text: string
  /** Answers under way. */
  readonly open: number
  /** Breaks all open connections and closes the port. */
  close(): Promise<void>
}

/**
 * A real server on loopback, for Node: it owns the sockets and breaks them as scripted. An agent runs behind the real
 * handler of CAP, so a request that comes again is a replay and not a second run. With `handler` it proxies any other server.
 *
 * @example
 * ```ts
 * import { CapClient } from 'capstan'
 * import { faultyServer } from 'capstan/testing'
 *
 * const server = await faultyServer({
 *   agent: ['Rivers ', 'meander.'],
 *   faults: [{ type: 'refuse' }, { type: 'cut', after: 300, unit: 'bytes', how: 'end' }],
 * })
 * for await (const text of new CapClient({ baseUrl: server.origin }).chat('Why?')) console.log(text)
 * await server.close()
 * ```
 */
export async function faultyServer(options: FaultyServerOptions): Promise<FaultyServer> {
  const { createServer } = await import('node:http')
  const { faults = [] } = options
  const faulty = faultyFor(options)
  let open = 0
  let ordinal = 0

  const faultOf = (http: Request, body: string): ServerFault | undefined => {
    const mine = ordinal
    ordinal += 1
    return typeof faults === 'function' ? faults(seenAttempt(http, body, systemClock.now()), mine) : faults[mine]
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const http = toRequest(request, response, body)
    const isCommand = options.handler === undefined && seenCommand(http, body, 0) !== undefined
    const fault = isCommand ? undefined : faultOf(http, body)
    const outcome = await faulty.take(http, body, fault?.type === 'none' ? undefined : fault)
    if (outcome.type !== 'answer') {
      if (outcome.type === 'reset') response.destroy()
      return
    }
    response.writeHead(outcome.head.status, ownHeaders(outcome.head))
    response.flushHeaders()
    const connection: OpenConnection = {
      response,
      pieces: fault?.pieces,
      closed: new Promise((resolve) => response.once('close', resolve)),
    }
    const isStream = outcome.head.headers.get('content-type')?.startsWith('text/event-stream') === true
    for await (const step of isStream && fault !== undefined ? rewrite(outcome.steps, fault) : outcome.steps) {
      if (response.destroyed) return
      if (!(await go(step, connection))) return
    }
    response.end()
  }

  const server = createServer((request, response) => {
    open += 1
    response.once('close', () => {
      open -= 1
    })
    // A body that fails half-way, as when the client has left, breaks the connection.
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server that listens has an address.
  const { port } = server.address() as AddressInfo

  return {
    origin: `http://127.0.0.1:${port}`,
    attempts: faulty.attempts,
    commands: 'commands' in faulty ? faulty.commands : [],
    get runs() {
      return faulty.runs
    },
    get text() {
      return 'text' in faulty ? faulty.text : ''
    },
    get open() {
      return open
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function faultyFor(options: FaultyServerOptions): FaultyAgent | FaultyHandler {
  if (options.handler !== undefined) return createFaultyHandler(options.handler, systemClock)
  const { agent, faults: _faults, handler: _handler, ...rest } = options
  return createFaultyAgent({
    agent: typeof agent === 'function' ? agent : sayer(agent),
    clock: systemClock,
    ...rest,
  })
}

function sayer(output: readonly AgentOutput[]): Agent {
  return async function* () {
    yield* output
  }
}

interface OpenConnection {
  readonly response: ServerResponse
  readonly pieces: number | undefined
  readonly closed: Promise<unknown>
}

/** One step on a socket. False: it was the last. */
async function go(step: ConnectionStep, connection: OpenConnection): Promise<boolean> {
  const { response, closed } = connection
  switch (step.type) {
    case 'send':
      await write(step.bytes, connection)
      return true
    case 'wait':
      await Promise.race([new Promise((resolve) => setTimeout(resolve, step.ms)), closed])
      return true
    case 'hang':
      return false
    case 'end':
      response.end()
      return false
    case 'reset':
      // The last bytes are on their way before the reset overtakes them.
      await new Promise((resolve) => setImmediate(resolve))
      response.destroy()
      return false
  }
}

async function write(
  bytes: Uint8Array,
  { response, pieces = bytes.byteLength, closed }: OpenConnection,
): Promise<void> {
  // Each piece has left before the next is written, or several would leave as one.
  for (let at = 0; at < bytes.byteLength && !response.destroyed; at += pieces)
    await Promise.race([new Promise((resolve) => response.write(bytes.subarray(at, at + pieces), resolve)), closed])
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array) // a request without an encoding gives bytes
  return Buffer.concat(chunks).toString()
}

/** Those of a response that was fetched elsewhere also say how that connection carried it. */
function ownHeaders({ headers }: Response): Record<string, string> {
  const { connection: _connection, 'transfer-encoding': _encoding, ...own } = Object.fromEntries(headers)
  return own
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
}

function toRequest(request: IncomingMessage, response: ServerResponse, body: string): Request {
  const left = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) left.abort(new Error('The client closed the connection.'))
  })
  const {
    connection: _connection,
    'transfer-encoding': _encoding,
    'content-length': _length,
    ...headers
  } = headersOf(request)
  const method = request.method ?? 'GET'
  return new Request(new URL(request.url ?? '/', `http://${request.headers.host ?? '127.0.0.1'}`), {
    method,
    headers,
    signal: left.signal,
    ...(method !== 'GET' && method !== 'HEAD' && body !== '' && { body }),
  })
}
