import { DRAIN_MS } from '../../../src/seam/drain.ts'
import type { Fetch } from '../../../src/wire/fetch-transport.ts'
import type { ConnectionPlan, Schedule } from './schedule.ts'
import type { Run, Timeline } from './timeline.ts'
import { GOOD_LINE, timelineOf } from './timeline.ts'
import type { TruePrompt, TrueStream } from './truth.ts'
import { tellTruth } from './truth.ts'
import type { VirtualTime } from './virtual-world.ts'

/** An open connection, as the server sees it. */
export interface LiveConnection {
  readonly requestId: string
  readonly conversationId: string
  /** When the client last heard a byte of it, or began to wait for the first. */
  heardAt: number
  /** The same, not counting the bytes of a frame that never ends. */
  wholeAt: number
}

/** An agent server in memory: an append-only log per request id, and a connection plan per POST. */
export interface VirtualServer {
  readonly fetch: Fetch
  /** The newest key, for the client to get. */
  readonly key: string
  expireKey(): void
  readonly live: ReadonlySet<LiveConnection>
  /** Every stream ever said, by id. */
  readonly streams: ReadonlyMap<string, TrueStream>
  /** Every question ever asked, by id. */
  readonly prompts: ReadonlyMap<string, TruePrompt>
  /** Wall-clock time, which continues while the machine sleeps, when the wait has ended that the last answer of a run asked for. Nobody may come back earlier by himself. */
  floorOf(requestId: string): number | undefined
  /** The conversation was left this very moment: what the server said just now may not have been heard. */
  forgetUnheard(conversationId: string): void
  /** Another page continues with the run: it makes the request again. */
  forgetBody(requestId: string): void
  readonly posts: number
  readonly commands: number
  /** Breaches of the protocol by the client. */
  readonly complaints: readonly string[]
  /** What of the schedule was met. */
  readonly met: ReadonlyMap<string, number>
}

const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504])
const LONGEST_WAIT_MS = 3_600_000
const RESPONSE_DELAY_MS = 10

export function createVirtualServer(schedule: Schedule, time: VirtualTime): VirtualServer {
  const runs = new Map<string, Run>()
  const bodies = new Map<string, string>()
  const streams = new Map<string, TrueStream>()
  const prompts = new Map<string, TruePrompt>()
  /** The body of each command, by its id. */
  const said = new Map<string, string>()
  const live = new Set<LiveConnection>()
  const complaints: string[] = []
  const met = new Map<string, number>()
  const floors = new Map<string, { readonly conversationId: string; readonly setAt: number; readonly at: number }>()
  let generations = 0
  let ids = 0
  let keys = 0
  let posts = 0
  let connections = 0
  let commands = 0

  const count = (what: string): void => void met.set(what, (met.get(what) ?? 0) + 1)
  const uuid = (): string => `00000000-0000-4000-9000-${String((ids += 1)).padStart(12, '0')}`

  function begin(requestId: string): Run {
    const run: Run = { truth: tellTruth(schedule.agent, `r${(generations += 1)}`, uuid), startedAt: time.now, sent: 0 }
    runs.set(requestId, run)
    for (const stream of run.truth.streams) streams.set(stream.id, stream)
    for (const prompt of run.truth.prompts) prompts.set(prompt.id, prompt)
    return run
  }

  function planOf(requestId: string): ConnectionPlan {
    const plan = schedule.connections[connections]
    connections += 1
    if (plan !== undefined) return plan
    if (schedule.drips !== true) return GOOD_LINE
    count('drip')
    return { ...GOOD_LINE, end: { how: 'reset', after: (runs.get(requestId)?.sent ?? 0) + 1, unit: 'packets' } }
  }

  function countPlan(plan: ConnectionPlan): void {
    if (plan.kind === 'status')
      count(`status ${plan.status}${plan.retryAfter === undefined ? '' : ' with Retry-After'}`)
    else if (plan.kind !== 'stream') count(plan.kind)
    else {
      if (plan.end !== undefined) count(`${plan.end.how} after ${plan.end.unit}`)
      if (plan.twist !== undefined) count(plan.twist.type)
      if (plan.restarts) count('new stream id')
      if (plan.overlap !== undefined) count('overlapping replay')
      if (plan.pieces > 0 && plan.pieces < 100) count('splinters')
    }
  }

  /** A command has arrived. Gives the status of the answer to it. */
  function hear(requestId: string, name: string, body: string): number {
    const run = runs.get(requestId)
    if (run === undefined) return 404
    if (name !== 'answer') return 200
    // The adapter writes this shape.
    const { prompt_id: id, answer_id: answerId } = JSON.parse(body) as { prompt_id: string; answer_id: string }
    if ((said.get(answerId) ?? body) !== body) complaints.push('another answer under the same id')
    said.set(answerId, body)
    const prompt = run.truth.prompts.find((asked) => asked.id === id)
    if (prompt?.takenId === answerId) return 200
    if (prompt === undefined || prompt.takenId !== undefined || time.now >= run.startedAt + prompt.settledAt) return 409
    prompt.take(answerId)
    return 200
  }

  function command(requestId: string, name: string, body: string, signal: AbortSignal): Promise<Response> {
    const plan = schedule.commands?.[commands] ?? 'taken'
    commands += 1
    if (schedule.commands === undefined) complaints.push(`${name} to a server that takes no commands`)
    const status = plan === 'refused' ? 503 : hear(requestId, name, body)
    count(`${name} ${plan === 'taken' ? status : plan}`)
    return new Promise((resolve, reject) => {
      const cancel = time.after(RESPONSE_DELAY_MS, () => {
        signal.removeEventListener('abort', leave)
        if (plan === 'lost') reject(new TypeError('reset'))
        else resolve(bodiless(status))
      })
      const leave = (): void => {
        cancel()
        reject(new Error('aborted'))
      }
      signal.addEventListener('abort', leave)
    })
  }

  const server: VirtualServer = {
    fetch(url, init) {
      const [, commanded, name] = /\/runs\/([^/]+)\/(\w+)$/.exec(url) ?? []
      if (commanded !== undefined && name !== undefined) {
        // The adapter sends JSON text, and always passes a signal and plain headers.
        const { body, signal, headers } = init as {
          body: string
          signal: AbortSignal
          headers: Record<string, string>
        }
        if (signal.aborted) return Promise.reject(new Error('aborted'))
        return headers['authorization'] === `Bearer ${server.key}`
          ? command(commanded, name, body, signal)
          : Promise.resolve(bodiless(401))
      }
      const headers = new Map(Object.entries(init.headers as Record<string, string>)) // the transport gives a plain object
      const requestId = headers.get('x-request-id') ?? ''
      const body = init.body as string // the adapter sends JSON text
      // The adapter writes this shape.
      const { context } = JSON.parse(body) as { readonly context: { readonly session_id: string } }
      const conversationId = context.session_id
      const connection: LiveConnection = { requestId, conversationId, heardAt: time.now, wholeAt: time.now }
      // The transport always passes a signal.
      const { signal } = init as { readonly signal: AbortSignal }
      if (signal.aborted) return Promise.reject(new Error('aborted'))
      posts += 1
      // Requests that a user retried before that are answered again.
      floors.delete(requestId)
      for (const other of live) {
        if (other.conversationId !== conversationId) continue
        // Only the response of another run, one that has ended, may be left: it is read to its own end, for a moment.
        if (other.requestId === requestId) complaints.push('a second live connection')
        else
          time.after(DRAIN_MS + 1, () => {
            if (live.has(other)) complaints.push('a second live connection')
          })
      }
      if ((bodies.get(requestId) ?? body) !== body) complaints.push('another body under the same request id')
      bodies.set(requestId, body)
      live.add(connection)
      if (headers.get('authorization') !== `Bearer ${server.key}`) {
        count('expired key')
        return later(connection, signal, time, live, () => bodiless(401))
      }
      const plan = planOf(requestId)
      countPlan(plan)
      switch (plan.kind) {
        case 'refused':
          return later(connection, signal, time, live, () => new TypeError('refused'))
        case 'answer-lost':
          if (!runs.has(requestId)) begin(requestId)
          return later(connection, signal, time, live, () => new TypeError('reset'))
        case 'mute':
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              live.delete(connection)
              reject(new Error('aborted'))
            })
          })
        case 'empty':
          return later(connection, signal, time, live, () => bodiless(200, { 'content-type': 'text/event-stream' }))
        case 'page':
          return later(connection, signal, time, live, () => bodiless(200, { 'content-type': 'text/html' }))
        case 'conflict':
          return later(connection, signal, time, live, () => bodiless(409))
        case 'status': {
          const { status, retryAfter } = plan
          return later(connection, signal, time, live, () => {
            if (retryAfter !== undefined && TRANSIENT.has(status))
              floors.set(requestId, {
                conversationId,
                setAt: time.now,
                at: time.clock.date() + Math.min(LONGEST_WAIT_MS, retryAfter * 1000),
              })
            return bodiless(status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) })
          })
        }
        case 'stream': {
          if (!runs.has(requestId) || plan.restarts) begin(requestId)
          // Just set.
          const run = runs.get(requestId) as Run
          const timeline = timelineOf(run, plan, time.now)
          return streaming({
            timeline,
            pieces: plan.pieces,
            latencyMs: plan.latencyMs,
            run,
            connection,
            signal,
            time,
            live,
            takesCommands: schedule.commands !== undefined,
          })
        }
      }
    },
    get key() {
      return `key-${keys}`
    },
    expireKey() {
      keys += 1
    },
    live,
    streams,
    prompts,
    floorOf: (requestId) => floors.get(requestId)?.at,
    forgetUnheard(conversationId) {
      for (const [requestId, floor] of floors)
        if (floor.conversationId === conversationId && floor.setAt === time.now) floors.delete(requestId)
    },
    forgetBody: (requestId) => void bodies.delete(requestId),
    get posts() {
      return posts
    },
    get commands() {
      return commands
    },
    complaints,
    met,
  }
  return server
}

/** As much of a Response as the transport reads; the platform's own, with streams inside, would take most of the run's time. */
type Answer = Pick<Response, 'ok' | 'status' | 'headers' | 'body'>
const asResponse = (answer: Answer): Response => answer as Response // all that toAnswer() asks for is there

function bodiless(status: number, headers: Record<string, string> = {}): Response {
  return asResponse({ ok: status >= 200 && status < 300, status, headers: new Headers(headers), body: null })
}

function later(
  connection: LiveConnection,
  signal: AbortSignal,
  time: VirtualTime,
  live: Set<LiveConnection>,
  answer: () => Response | TypeError,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const cancel = time.after(RESPONSE_DELAY_MS, () => {
      live.delete(connection)
      signal.removeEventListener('abort', leave)
      const given = answer()
      if (given instanceof TypeError) reject(given)
      else resolve(given)
    })
    const leave = (): void => {
      cancel()
      live.delete(connection)
      reject(new Error('aborted'))
    }
    signal.addEventListener('abort', leave)
  })
}

interface Streaming {
  readonly timeline: Timeline
  readonly pieces: number
  readonly latencyMs: number
  readonly run: Run
  readonly connection: LiveConnection
  readonly signal: AbortSignal
  readonly time: VirtualTime
  readonly live: Set<LiveConnection>
  readonly takesCommands: boolean
}

interface Read {
  readonly done: boolean
  readonly value: Uint8Array | undefined
}

function streaming({
  timeline,
  pieces,
  latencyMs,
  run,
  connection,
  signal,
  time,
  live,
  takesCommands,
}: Streaming): Promise<Response> {
  const queue: Uint8Array[] = []
  let next = 0
  let over: 'eof' | Error | undefined
  let cancel = (): void => {}
  let wanting: { resolve(read: Read): void; reject(error: Error): void } | undefined

  function serve(): void {
    if (wanting === undefined) return
    const value = queue.shift()
    if (value === undefined && over === undefined) return
    const { resolve, reject } = wanting
    wanting = undefined
    if (value !== undefined) resolve({ done: false, value })
    else if (over === 'eof') resolve({ done: true, value: undefined })
    else if (over !== undefined) reject(over)
  }

  function finish(how: 'eof' | Error): void {
    cancel()
    live.delete(connection)
    signal.removeEventListener('abort', leave)
    over ??= how
    serve()
  }

  function leave(): void {
    queue.length = 0
    finish(new Error('aborted'))
  }

  /** Says all that is due, then waits for the next. */
  function speak(): void {
    const due: Uint8Array[] = []
    for (let item = timeline.items[next]; item !== undefined && item.at <= time.now; item = timeline.items[next]) {
      next += 1
      connection.heardAt = time.now
      if (item.isPartial !== true) connection.wholeAt = time.now
      if (item.sent !== undefined) run.sent = Math.max(run.sent, item.sent)
      if (pieces === 0) due.push(item.bytes)
      else for (let at = 0; at < item.bytes.byteLength; at += pieces) queue.push(item.bytes.subarray(at, at + pieces))
    }
    if (due.length > 0) queue.push(due.length === 1 && due[0] !== undefined ? due[0] : Buffer.concat(due))
    serve()
    const item = timeline.items[next]
    if (item !== undefined) cancel = time.after(item.at - time.now, speak)
    else if (timeline.end === 'eof') finish('eof')
    else if (timeline.end === 'reset') finish(new TypeError('reset'))
  }

  const reader = {
    read: () =>
      new Promise<Read>((resolve, reject) => {
        wanting = { resolve, reject }
        serve()
      }),
    cancel: () => {
      leave()
      return Promise.resolve()
    },
  }
  const body = { getReader: () => reader } as unknown as Response['body'] // the transport takes a reader and nothing else
  const headers = new Headers({
    'content-type': 'text/event-stream',
    ...(takesCommands && { 'cap-control': 'cancel, answer' }),
  })

  return new Promise((resolve, reject) => {
    const gone = (): void => {
      leave()
      reject(new Error('aborted'))
    }
    signal.addEventListener('abort', gone, { once: true })
    cancel = time.after(latencyMs, () => {
      signal.removeEventListener('abort', gone)
      signal.addEventListener('abort', leave)
      connection.heardAt = time.now
      connection.wholeAt = time.now
      resolve(asResponse({ ok: true, status: 200, headers, body }))
      speak()
    })
  })
}
