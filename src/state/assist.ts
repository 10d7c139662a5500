import type { AgentError } from '../base/agent-error.ts'
import { isAgentError } from '../base/agent-error.ts'
import type { AgentEvent } from '../protocols/agent-event.ts'
import type { AgentClient } from '../session/agent-client.ts'
import { idleConnection } from '../session/connection-state.ts'
import type { Connection } from '../session/connection.ts'
import type { Ending, Session } from '../session/session.ts'
import type { SessionEvent } from '../session/take-batch.ts'
import { createSession } from '../session/session.ts'
import type { ChatStatus } from './chat-snapshot.ts'
import { createPublisher } from './publisher.ts'

/** One strict run as a value: what was said, packet by packet. */
export interface AssistSnapshot<Source = unknown> {
  readonly status: ChatStatus
  readonly requestId: string | undefined
  /** The packets of the run, each once, in order; of the newest stream generation after a restart. */
  readonly packets: readonly Source[]
  /** The same in neutral words, with diagnostics (gap, restarted). */
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
  /** Begins a run, ending the one before. Resolves when it has ended, however it ended; rejects when nothing was sent. */
  start(request: Request, requestId: string): Promise<void>
  stop(): Promise<void>
}

export interface AssistOptions<Request, Source> {
  /** Asked for at the start of each run. */
  readonly client: () => AgentClient<Request, Source>
  /** Refuses, by throwing, what is no request; nothing is sent then. */
  readonly check?: ((request: Request) => void) | undefined
  /** Hears of every packet as it comes. */
  readonly onPacket?: ((packet: Source) => void) | undefined
}

/** Single runs of full requests, one at a time, as a store. */
export function createAssist<Request, Source>(options: AssistOptions<Request, Source>): Assist<Request, Source> {
  const environment = options.client().environment
  let packets: Source[] = []
  let events: AgentEvent[] = []
  let text = ''
  let requestId: string | undefined
  let response: unknown
  let connection = idleConnection(options.client().retry.maxAttempts)
  let error: AgentError | undefined
  let session: Session | undefined
  let running = false

  const publisher = createPublisher<AssistSnapshot<Source>>(environment.frames, () => ({
    status: running ? (events.length > 0 ? 'streaming' : 'submitted') : error === undefined ? 'ready' : 'error',
    requestId,
    packets: [...packets],
    events: [...events],
    text,
    response,
    connection,
    error,
    warnings: events.flatMap((event) => (event.type === 'warning' ? [event.error] : [])),
  }))

  function take(batch: readonly SessionEvent<Source>[]): void {
    for (const { event, source } of batch) {
      if (event.type === 'diagnostic' && event.diagnostic.kind === 'restarted') {
        packets = []
        events = []
        text = ''
      }
      events.push(event)
      if (event.type === 'text') text += event.text
      if (source === undefined) continue
      packets.push(source)
      try {
        options.onPacket?.(source)
      } catch (cause) {
        environment.report(cause)
      }
    }
    publisher.schedule()
  }

  async function stop(): Promise<void> {
    await session?.stop()
  }

  return {
    getSnapshot: publisher.get,
    subscribe: publisher.subscribe,
    async start(request, id) {
      void stop()
      const client = options.client()
      packets = []
      events = []
      text = ''
      requestId = id
      response = undefined
      error = undefined
      session = undefined
      try {
        options.check?.(request)
      } catch (cause) {
        error = isAgentError(cause) ? cause : undefined
        publisher.flush()
        throw cause
      }
      running = true
      await new Promise<void>((resolve) => {
        const own: Session = createSession<Request, Source>({
          client,
          request,
          requestId: id,
          onEvents: (batch) => (session === own ? take(batch) : undefined),
          onConnection(value) {
            if (session !== own) return
            connection = value
            publisher.schedule()
          },
          onEnded(ending: Ending) {
            if (session === own) {
              running = false
              if (ending.type === 'failed') error = ending.error
              if (ending.type === 'finished') response = ending.response
              publisher.flush()
            }
            resolve()
          },
        })
        session = own
        own.start()
        publisher.flush()
      })
    },
    stop,
  }
}
