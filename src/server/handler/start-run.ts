import type { Clock } from '../../base/ports/clock.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { abortWith, abortReason } from '../../base/on-abort.ts'
import { type Agent, type AgentRun, createInbox } from '../run/agent.ts'
import type { AgentOutput, EventOutput } from '../run/agent-output.ts'
import type { LogWriter } from '../event-log/event-log.ts'
import type { IncomingCall } from '../http/incoming-call.ts'
import type { AssistCall } from '../http/read-assist-call.ts'
import type { ConversationStore } from '../conversation/conversation-store.ts'
import {
  readQuestion,
  type Question,
  createRunMemory,
  type RunMemory,
  type RunMemoryOptions,
} from '../run/run-memory.ts'
import { runAgent } from '../run/run-agent.ts'
import { createRunCommands, isRunCancelled, type AgentRunEnd, createRunPrompts } from '../run/run-commands.ts'
import { createAgentRunState, sentState } from '../run/agent-run-state.ts'
import { createRunStop, type RunStop } from '../run/run-stop.ts'
import { createRunWriter } from '../run/run-writer.ts'

export interface RunStart {
  readonly agent: Agent
  readonly call: AssistCall
  readonly http: IncomingCall
  readonly user: string | undefined
  readonly log: LogWriter
  readonly clock: Clock
  readonly uuid: () => string
  readonly maxAnswerLength: number
  readonly cancelTimeoutMs: number
  readonly conversations: ConversationStore
  /** The server's own end. The caller's is no reason to stop. */
  readonly stopping: AbortSignal | undefined
  onError(error: unknown, context: { readonly requestId: string }): void
}

/** Sets an agent to work. The promise resolves when its log is complete and never rejects. */
export async function startRun(start: RunStart): Promise<void> {
  const { agent, call, clock, uuid, stopping, log } = start
  const stop = createRunStop()
  const release = abortWith(stop, stopping)
  // An agent whose output cannot be saved is stopped.
  const onLost = (error: unknown): void => stop.abort(error)
  const lastEvents = (stream: string): readonly EventOutput[] => prompts.withdraw(stream)
  const onError = (error: unknown): void => start.onError(error, { requestId: call.requestId })
  const question = readQuestion(call.request)
  const memory = memoryOf(start, question, onError)
  const { maxAnswerLength } = start
  const writer = createRunWriter({ log, clock, uuid, maxAnswerLength, recorder: memory.recorder, lastEvents, onLost })
  const prompts = createRunPrompts({ writer, stop, clock, uuid, onError })
  const inbox = createInbox()
  let ended = false
  const write = (output: AgentOutput): Promise<void> => {
    if (isRunCancelled(stop.reason)) return cancelledWrite(stop)
    const written = writer.write(output)
    // A failure during the run is reported at its end. A write after the end is reported here.
    written.catch((error: unknown) => (ended ? onError(error) : undefined))
    return written
  }
  const talk = {
    ...question,
    report: onError,
    history: memory.history,
    remember: memory.recorder.remember,
    write,
    ask: prompts.ask,
    inbox: inbox.inbox,
    state: createAgentRunState(call.request, write, uuid),
  }
  const run = agentRun(start, stop, talk)
  let tell = (_outcome: AgentRunEnd): void => {}
  const outcome = new Promise<AgentRunEnd>((resolve) => {
    tell = resolve
  })
  log.onCommand?.(createRunCommands({ writer, stop, prompts, inbox, ended: outcome }))
  // Readers of the inbox would wait for ever.
  stop.onStop(() => inbox.end())
  let how: AgentRunEnd
  try {
    const { cancelTimeoutMs } = start
    how = await runAgent({ agent, request: call.request, run, stop, writer, log, memory, cancelTimeoutMs, onError })
  } finally {
    ended = true
    inbox.end()
    release()
    tell(how)
  }
}

/** An agent that ignores its signal is left alone, and nothing it says is heard. */
function cancelledWrite(stop: RunStop): Promise<void> {
  const refused = Promise.reject(abortReason(stop, 'The run was aborted.'))
  refused.catch(() => {})
  return refused
}

function memoryOf(
  { call, user, conversations, clock }: RunStart,
  question: Question,
  onError: RunMemoryOptions['onError'],
): RunMemory {
  const { payload } = call.request
  return createRunMemory({
    store: conversations,
    key: { owner: user ?? '', id: payload.session_id },
    requestId: call.requestId,
    place: {
      after: payload.parent_request_id ?? undefined,
      replaces: replacedBy(call.request),
      isFirst: payload.metadata['is_first'] === true,
    },
    question,
    sent: sentState(call.request),
    clock,
    onError,
  })
}

/** What few agents ask for is made when they do. */
function agentRun(
  { call, http, user, clock, uuid }: RunStart,
  stop: RunStop,
  talk: Pick<
    AgentRun,
    'text' | 'files' | 'metadata' | 'history' | 'remember' | 'report' | 'write' | 'ask' | 'inbox' | 'state'
  >,
): AgentRun {
  let url: URL | undefined
  let headers: Headers | undefined
  return {
    requestId: call.requestId,
    conversationId: call.request.payload.session_id,
    after: call.request.payload.parent_request_id ?? undefined,
    replaces: replacedBy(call.request),
    user,
    get url() {
      return (url ??= new URL(http.url))
    },
    get headers() {
      return (headers ??= http.headers())
    },
    get signal() {
      return stop.signal
    },
    clock,
    uuid,
    sleep: (ms) => sleep(ms, clock, stop),
    ...talk,
  }
}

/** `replaces` of the metadata, as the client of this package writes it; metadata are free, so anything else may be there. */
function replacedBy({ payload }: ServiceRequest): readonly string[] {
  const { replaces } = payload.metadata
  return Array.isArray(replaces) ? replaces.flatMap((id: unknown) => canonicalUuid(id) ?? []) : []
}

function sleep(ms: number, clock: Clock, stop: RunStop): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => {
      release()
      resolve()
    })
    const release = stop.onStop((error) => {
      cancel()
      reject(error)
    })
  })
}
