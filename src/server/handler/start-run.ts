import type { Clock } from '../../base/clock.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { abortWith } from '../../base/abort-with.ts'
import type { Agent, AgentRun } from '../run/agent.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import type { LogWriter } from '../event-log/event-log.ts'
import type { AssistCall } from '../http/read-assist-call.ts'
import { runAgent } from '../run/run-agent.ts'
import { createRunWriter } from '../run/run-writer.ts'

export interface RunStart {
  readonly agent: Agent
  readonly call: AssistCall
  readonly http: Request
  readonly user: string | undefined
  readonly log: LogWriter
  readonly clock: Clock
  readonly uuid: () => string
  readonly maxAnswerLength: number
  /** The server's own end. The caller's is no reason to stop. */
  readonly stopping: AbortSignal
  onError(error: unknown, context: { readonly requestId: string }): void
}

/** Sets an agent to work. The promise resolves when its log is complete and never rejects. */
export async function startRun(start: RunStart): Promise<void> {
  const { agent, call, clock, uuid, stopping } = start
  const over = new AbortController()
  const { signal } = over
  const release = abortWith(over, stopping)
  const log = abortWhenLost(start.log, over)
  const writer = createRunWriter({ log, clock, uuid, maxAnswerLength: start.maxAnswerLength })
  const onError = (error: unknown): void => start.onError(error, { requestId: call.requestId })
  let ended = false
  const write = (output: AgentOutput): Promise<void> => {
    const written = writer.write(output)
    // During the run it counts at its end. A callback that comes later has nobody else to tell.
    written.catch((error: unknown) => (ended ? onError(error) : undefined))
    return written
  }
  const run: AgentRun = {
    requestId: call.requestId,
    after: call.request.payload.parent_request_id ?? undefined,
    replaces: replacedBy(call.request),
    user: start.user,
    url: new URL(start.http.url),
    headers: new Headers(start.http.headers),
    signal,
    clock,
    uuid,
    sleep: (ms) => sleep(ms, clock, signal),
    write,
  }
  try {
    await runAgent({ agent, request: call.request, run, writer, log, onError })
  } finally {
    ended = true
    release()
  }
}

/** `replaces` of the metadata, as the client of this package writes it; metadata are free, so anything else may stand there. */
function replacedBy({ payload }: ServiceRequest): readonly string[] {
  const { replaces } = payload.metadata
  return Array.isArray(replaces) ? replaces.flatMap((id: unknown) => canonicalUuid(id) ?? []) : []
}

/** An agent whose words cannot be kept should stop, not talk to nobody. */
function abortWhenLost(log: LogWriter, over: AbortController): LogWriter {
  return {
    append: async (entry) => {
      try {
        await log.append(entry)
      } catch (error) {
        over.abort(error)
        throw error
      }
    },
    close: () => log.close(),
    discard: () => log.discard(),
  }
}

function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel()
      reject(signal.reason instanceof Error ? signal.reason : new Error('The run was aborted.'))
    }
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
