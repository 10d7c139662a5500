import { attempt } from '../base/attempt.ts'
import type { AgentError } from '../base/agent-error.ts'
import { isAgentError } from '../base/agent-error.ts'
import type { AgentEvent } from '../seam/agent-event.ts'
import type { AgentClient, Session } from '../session/agent-client.ts'
import { idleConnection, type Connection, type Ending } from '../session/connection.ts'
import type { SessionEvent } from '../session/stream-ledger.ts'
import { openRun } from '../session/session.ts'
import type { ChatStatus } from './chat-snapshot.ts'
import { createGrowingList, createPublisher } from './chat-store.ts'

/** One strict run as a value: its packets. */
export interface AssistSnapshot<Source = unknown> {
  readonly status: ChatStatus
  readonly requestId: string | undefined
  /** The packets of the run, each once, in order; of the newest stream generation after a restart. */
  readonly packets: readonly Source[]
  /** The same as neutral events, with diagnostics (gap, restarted). */
  readonly events: readonly AgentEvent[]
  /** All text so far, over all streams. */
  readonly text: string
  /** What the agent answered in place of a stream: a ServiceResponse in CAP. */
  readonly response: unknown
  readonly connection: Connection
  readonly error: AgentError | undefined
  readonly warnings: readonly AgentError[]
}

export interface Assist<Request, Source = unknown> {
  getSnapshot(): AssistSnapshot<Source>
  subscribe(listener: () => void): () => void
  /**
   * Begins a run, ending the one before. Resolves when it has ended, however it ended, or when another run replaced it
   * before it was sent; rejects when the request was refused and nothing was sent.
   */
  start(request: Request, requestId: string): Promise<void>
  /** Ends the run, and asks the agent to stop its work. */
  stop(): Promise<void>
  /** Closes the connection and lets the agent work on; `start` resolves. The same request, started again, resumes the answer. */
  disconnect(): void
}

export interface AssistOptions<Request, Source> {
  /** Asked for at the start of each run. */
  readonly client: () => AgentClient<Request, Source>
  /** The request as it is to be sent: a private copy. Throws for an invalid request; nothing is sent then. */
  readonly prepare: (request: Request) => Request
  /** Called with every packet as it comes. */
  readonly onPacket?: ((packet: Source) => void) | undefined
}

interface AssistRun {
  /** None before the request has been checked. */
  session: Session | undefined
  /** Resolves `start` of a run that is left before it has ended. */
  resolve?: () => void
}

/** Single runs of full requests, one at a time, as a store. */
export function createAssist<Request, Source>(options: AssistOptions<Request, Source>): Assist<Request, Source> {
  const environment = options.client().environment
  let packets = createGrowingList<Source>()
  let events = createGrowingList<AgentEvent>()
  let warnings = createGrowingList<AgentError>()
  let text = ''
  let requestId: string | undefined
  let response: unknown
  let connection = idleConnection(options.client().retry.maxAttempts)
  let error: AgentError | undefined
  /** The newest run; none after one was stopped before it was sent. */
  let run: AssistRun | undefined
  let running = false

  const publisher = createPublisher<AssistSnapshot<Source>>(environment, () => ({
    status: running ? (events.items.length > 0 ? 'streaming' : 'submitted') : error === undefined ? 'ready' : 'error',
    requestId,
    packets: packets.items,
    events: events.items,
    text,
    response,
    connection,
    error,
    warnings: warnings.items,
  }))

  function forget(): void {
    packets = createGrowingList()
    events = createGrowingList()
    warnings = createGrowingList()
    text = ''
  }

  function take(own: AssistRun, batch: readonly SessionEvent<Source>[]): void {
    for (const { event, source } of batch) {
      // A callback may have ended the run in the middle of a batch, or begun another one.
      if (run !== own || !running) return
      if (event.type === 'diagnostic' && event.diagnostic.kind === 'restarted') forget()
      events.push(event)
      if (event.type === 'warning') warnings.push(event.error)
      if (event.type === 'text') text += event.text
      if (source === undefined) continue
      packets.push(source)
      attempt(environment.report, () => options.onPacket?.(source))
    }
    if (run === own && running) publisher.schedule()
  }

  async function stop(): Promise<void> {
    const own = run
    if (own === undefined) return
    if (own.session !== undefined) return void (await own.session.stop())
    run = undefined
    publisher.flush()
  }

  return {
    getSnapshot: publisher.get,
    subscribe: publisher.subscribe,
    async start(given, id) {
      const client = options.client()
      const before = run
      const own: AssistRun = { session: undefined }
      // First: events of the previous run are ignored, and a run begun from inside a callback replaces this one.
      run = own
      void before?.session?.stop()
      forget()
      requestId = id
      response = undefined
      error = undefined
      running = false
      let request: Request
      try {
        request = options.prepare(given)
      } catch (cause) {
        if (run === own) {
          error = isAgentError(cause) ? cause : undefined
          publisher.flush()
        }
        throw cause
      }
      if (run !== own) return
      running = true
      await new Promise<void>((resolve) => {
        const session = openRun<Request, Source>({
          client,
          request,
          requestId: id,
          onEvents: (batch) => take(own, batch),
          onConnection(value) {
            if (run !== own) return
            connection = value
            publisher.schedule()
          },
          onEnded(ending: Ending) {
            if (run === own) {
              running = false
              if (ending.type === 'failed') error = ending.error
              if (ending.type === 'finished') response = ending.response
              publisher.flush()
            }
            resolve()
          },
        })
        own.session = session
        own.resolve = resolve
        session.start()
        publisher.flush()
      })
    },
    stop,
    disconnect() {
      if (!running || run?.resolve === undefined) return
      running = false
      run.session?.disconnect()
      publisher.flush()
      run.resolve()
    },
  }
}
