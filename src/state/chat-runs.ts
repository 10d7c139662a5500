import { isAgentError } from '../base/agent-error.ts'
import { attempt } from '../base/attempt.ts'
import { idleConnection, type Connection, type Ending } from '../session/connection.ts'
import { openRun } from '../session/session.ts'
import { createResumePoint } from '../session/resume-point.ts'
import type { SessionEvent } from '../session/stream-ledger.ts'
import type { ChatCallbacks, ChatOptions, RunEnd } from './chat-options.ts'
import type { ChatSnapshot } from './chat-snapshot.ts'
import type { ChatMessage, OutgoingMessage, LineageLog } from './turn.ts'
import { type ChatStore, isBusy, handleFor, promptsAwaited, type Publisher } from './chat-store.ts'
import {
  applyEvent,
  beginTurn,
  canResumeTurn,
  endTurn,
  isTurnEnded,
  keepHandle,
  markSent,
  resumeTurn,
  markStop,
  metadataOf,
  stopAwaited,
  stopIncomplete,
  answersTo,
  questionOf,
} from './conversation.ts'
import { movePrompt, changePrompt, hasUndecided, undecidedPrompts, markAnswered, markUntaken } from './prompts.ts'
import {
  hasLeases,
  type Run,
  REQUEST_FAILED,
  createRun,
  dispatch,
  isDone,
  isOver,
  keepUnread,
  whenEnded,
} from './run.ts'
import type { StopResult, AgentClient } from '../session/agent-client.ts'
import { cancelRun } from '../session/send-command.ts'
import type { HistoryMessage, PromptReply } from '../seam/chat-input.ts'

/** The runs of a chat, one after the other: each makes a request, drives a session and ends. The phases are in run.ts. */
export interface ChatRuns {
  /** Begins a run: the message is shown immediately, the request follows. Resolves when the run has ended. */
  begin(requestId: string, outgoing: OutgoingMessage, question: ChatMessage | undefined): Promise<void>
  /**
   * Begins a run with a message of the user.
   * @param isRepeated an earlier run may have sent it under the same id
   */
  ask(requestId: string, outgoing: OutgoingMessage, isRepeated?: boolean): Promise<void>
  /** Begins the run that carries the staged answers. */
  sendStaged(requestId: string): void
  /** Whether a run that has ended may still be resumed. */
  isResumable(run: Run): boolean
  /** Resumes the latest run, if it was left or has ended without the agent's own end. */
  resume(): Promise<void>
  /**
   * Ends a run and asks the agent to stop; resolves with what is known of that.
   * @param requestId of the run, which another page may have begun. Absent: of the latest
   */
  stop(requestId?: string): Promise<StopResult>
  /** Leaves the connection of the latest run, which can be resumed. */
  disconnect(): void
}

export interface ChatRunsOptions {
  readonly options: ChatOptions
  readonly store: ChatStore
  readonly publisher: Publisher<ChatSnapshot>
  readonly lineage: LineageLog
  readonly requests: RequestCache
  /** The agent has asked something: what answers it will be needed. */
  onAsked(): void
}

export function createChatRuns({ options, store, publisher, lineage, requests, onAsked }: ChatRunsOptions): ChatRuns {
  const { clock, report } = options.client().environment
  const stops = createChatStops({ options, store, publisher, end: (own) => end(own, { type: 'stopped' }) })

  function begin(
    requestId: string,
    outgoing: OutgoingMessage,
    question: ChatMessage | undefined,
    { isRepeated, answers }: { readonly isRepeated?: boolean; readonly answers?: 'new' | 'repeated' } = {},
  ): Promise<void> {
    const own = createRun(requestId, outgoing, createResumePoint(isRepeated))
    own.hasAsked = answers !== undefined
    own.hasNewAnswers = answers === 'new'
    stops.forget(requestId)
    dispatch(own, 'asked')
    store.run = own
    store.error = undefined
    store.connection = idleConnection(options.client().retry.maxAttempts)
    // A question has its own.
    const metadata = question === undefined ? outgoing.metadata : undefined
    store.conversation = beginTurn(store.conversation, requestId, question, clock.date(), metadata)
    publisher.flush()
    // A subscriber may have ended it.
    if (!isOver(own)) void open(own)
    return whenEnded(own)
  }

  function ask(requestId: string, outgoing: OutgoingMessage, isRepeated = false): Promise<void> {
    return begin(requestId, outgoing, questionOf(requestId, outgoing, clock.date()), { isRepeated })
  }

  /** Makes the request of a run, once, and its session. */
  async function open(own: Run): Promise<void> {
    const client = options.client()
    try {
      const request = await requests.request(client, own, store)
      const session = openRun({
        client,
        request,
        requestId: own.requestId,
        resumePoint: own.resumePoint,
        onEvents: (events) => void take(own, events),
        onConnection: (value) => follow(own, value),
        onEnded: (ending) => end(own, ending),
      })
      if (!dispatch(own, 'made', session)) return
      requests.set(client, own, request)
      if (own.state.phase === 'left') session.disconnect()
      session.start()
    } catch (cause) {
      end(own, {
        type: 'failed',
        error: isAgentError(cause) ? cause : client.protocol.createError({ ...REQUEST_FAILED, cause }),
      })
    }
  }

  /** Whether all of it was written, so that more may come. */
  function take(own: Run, events: readonly SessionEvent[]): boolean {
    const at = clock.date()
    let isAsked = false
    for (const [index, { event }] of events.entries()) {
      // A callback may have left or ended the run in the middle of a batch.
      if (own.state.phase !== 'live') return keepUnread(own, events.slice(index))
      isAsked ||= event.type === 'prompt' || event.type === 'prompt-settled'
      if (isAsked || event.type === 'snapshot') own.hasAsked = true
      store.conversation = applyEvent(store.conversation, event, at)
      if (event.type !== 'warning') continue
      store.warnings.push(event.error)
      call((callbacks) => callbacks.onWarning?.(event.error))
    }
    if (own.state.phase !== 'live') return false
    if (isAsked) onAsked()
    // What the user is asked is shown at once, also on a hidden page; what a run ends with, together with its end: a state with one and not the other cannot be resumed.
    if (isAsked && events.every(({ event }) => event.type !== 'run-finished')) publisher.flush()
    else publisher.schedule()
    return true
  }

  function follow(own: Run, value: Connection): void {
    if (store.run !== own) return
    const sent = value.phase === 'streaming' ? markSent(store.conversation) : store.conversation
    const taken = value.phase === 'streaming' ? markAnswered(sent) : sent
    store.conversation = taken
    if (value.phase === 'streaming') lineage.told()
    store.connection = value
    // The caller of `answer()` awaits it.
    if (taken === sent) publisher.schedule()
    else publisher.flush()
  }

  function end(own: Run, ending: Ending): void {
    const { requestId } = own
    if (store.run !== own || isOver(own)) return
    dispatch(own, 'ended')
    own.ending = ending
    const waiters = own.waiters.splice(0)
    own.isEndedByAgent = ending.type === 'finished' || isTurnEnded(store.conversation, requestId)
    const isUnsent = own.hasNewAnswers === true && own.resumePoint.attempts === 0
    const ended = endTurn(store.conversation, ending, clock.date())
    store.conversation = markUntaken(ended, requestId, isUnsent ? 'reopened' : 'lost')
    // The run before waits for the user again, also where an earlier page has begun this one.
    if (store.conversation !== ended) own.hasAsked = true
    const isAwaited = ending.type === 'finished' && ending.outcome === 'awaiting-input'
    const isNeeded =
      isAwaited ||
      options.client().protocol.followsUp ||
      hasLeases(store.conversation.messages, requestId) ||
      (own.hasAsked && hasUndecided(store.conversation.messages, requestId))
    if (isNeeded && own.resumePoint.handle !== undefined)
      store.conversation = keepHandle(store.conversation, requestId, own.resumePoint.handle)
    // A callback may begin another run, which may replace them.
    const { messages } = store.conversation
    if (!messages.some((message) => message.requestId === requestId && message.status === 'not-sent'))
      requests.delete(requestId)
    if (ending.type === 'failed') store.error = ending.error
    publisher.flush()
    notifyEnded(ending, requestId, messages)
    for (const wake of waiters) wake()
    const [next] = store.queued
    // Not when a callback has begun something else or left, or while the agent waits.
    if (dispatch(own, 'settled') && isDone(own) && !isBusy(store) && store.run === own && next !== undefined) {
      store.queued = store.queued.slice(1)
      void ask(next.id, next.message)
    }
  }

  function notifyEnded(ending: Ending, requestId: string, messages: readonly ChatMessage[]): void {
    if (ending.type === 'failed') call((callbacks) => callbacks.onError?.(ending.error))
    if (ending.type === 'finished')
      for (const answer of answersTo(requestId, messages)) call((callbacks) => callbacks.onFinish?.(answer))
    const over = runEnd(ending, requestId, messages)
    if (over !== undefined) call((callbacks) => callbacks.onEnd?.(over))
  }

  /** An app's callback must not break the stream. */
  function call(notify: (callbacks: ChatCallbacks) => void): void {
    attempt(report, () => notify(options.callbacks?.() ?? {}))
  }

  function isResumable({ state, requestId }: Run): boolean {
    const connection = state.session?.connection
    return (
      (connection === undefined || (connection.phase === 'failed' && connection.error.retryable)) &&
      store.conversation.turn?.requestId === requestId &&
      canResumeTurn(store.conversation)
    )
  }

  async function resume(): Promise<void> {
    const own = store.run
    if (own === undefined || own.state.phase === 'live') return
    const before = own.state
    const { session } = before
    if (isOver(own)) {
      if (!isResumable(own)) return
      stops.forget(own.requestId)
      store.error = undefined
      store.conversation = resumeTurn(store.conversation)
    }
    const isChanged = dispatch(own, session === undefined ? 'asked' : 'resumed')
    if (session !== undefined) {
      if (take(own, before.unread ?? [])) session.resume()
    } else if (isChanged && before.phase !== 'held') void open(own)
    publisher.flush()
    return whenEnded(own)
  }

  function sendStaged(requestId: string): void {
    const carried = undecidedPrompts(store.conversation.messages).filter(
      ({ prompt }) => prompt.answeredBy === 'next-run',
    )
    for (const { prompt } of carried)
      store.conversation = changePrompt(store.conversation, prompt.id, (known) => movePrompt(known, 'sent'))
    const answers = carried.some(({ prompt }) => prompt.state === 'unconfirmed') ? 'repeated' : 'new'
    // Before it is sent, the agent has the run that asks: a stop must tell it.
    const metadata = metadataOf(store.conversation.messages)
    void begin(requestId, { text: '', metadata }, undefined, { isRepeated: true, answers })
  }

  return {
    begin,
    ask,
    sendStaged,
    isResumable,
    resume,
    stop: stops.stop,
    disconnect() {
      if (store.run && dispatch(store.run, 'disconnected')) store.run.state.session?.disconnect()
      publisher.flush()
    },
  }
}

/** Undefined when no message of the run is left. */
function runEnd(ending: Ending, requestId: string, messages: readonly ChatMessage[]): RunEnd | undefined {
  const message = answersTo(requestId, messages).at(-1) ?? messages.findLast((said) => said.requestId === requestId)
  if (message === undefined) return undefined
  if (ending.type !== 'failed')
    return { message, status: ending.type === 'finished' ? 'complete' : 'stopped', error: undefined }
  const { status } = message
  return { message, status: status === 'incomplete' || status === 'not-sent' ? status : 'failed', error: ending.error }
}

/** Stops the runs of a chat. `cancelled` is returned for a run that its agent has ended or confirmed to have stopped, and for no other. */
interface ChatStops {
  /** @param requestId of the run, which another page may have begun. Absent: the latest */
  stop(requestId?: string): Promise<StopResult>
  /** A run of this id begins, or is resumed: it can be stopped again. */
  forget(requestId: string): void
}

interface ChatStopsOptions {
  readonly options: ChatOptions
  readonly store: ChatStore
  readonly publisher: Publisher<ChatSnapshot>
  /** Ends a run that the user has stopped. */
  end(own: Run): void
}

function createChatStops({ options, store, publisher, end }: ChatStopsOptions): ChatStops {
  /** By request id. */
  const stopping = new Map<string, Promise<StopResult>>()

  /** Cancels the prompts that a run has ended with, and the work that waits for them. */
  function cancelAwaited(requestId: string): Promise<StopResult> {
    store.conversation = stopAwaited(store.conversation, requestId)
    publisher.flush()
    return cancelRun(options.client(), requestId, { handle: handleFor(store, requestId) })
  }

  function stopLive(own: Run): Promise<StopResult> {
    const { requestId, resumePoint } = own
    // A run of an earlier page has no session before it is resumed, and its agent may be at work.
    const told = own.state.session?.stop() ?? cancelRun(options.client(), requestId, resumePoint)
    // The session ends the run itself; without one the request was still being made.
    end(own)
    return told
  }

  /** Of a run that has ended on this page: only its agent's own end means that the agent no longer works. */
  function stopEnded(requestId: string): Promise<StopResult> {
    if (promptsAwaited(store).some(({ message }) => message.requestId === requestId)) return cancelAwaited(requestId)
    const { messages } = store.conversation
    const known = stopOf(messages.filter((message) => message.requestId === requestId))
    if (known !== undefined) return Promise.resolve(known)
    // It is sent after the run before it, however that ends.
    if (store.queued.some(({ id }) => id === requestId)) return Promise.resolve('left')
    const own = store.run?.requestId === requestId ? store.run : undefined
    store.conversation = stopIncomplete(store.conversation, requestId)
    if (own !== undefined && store.conversation.messages !== messages) store.error = undefined
    publisher.flush()
    return (
      own?.state.session?.stop() ??
      cancelRun(options.client(), requestId, own?.resumePoint ?? { handle: handleFor(store, requestId) })
    )
  }

  /** Whether a run is the one of this id, or carries the answers to its prompts: who stops what asked means the work that follows. */
  function isContinuedBy(own: Run, requestId: string): boolean {
    const ids = store.conversation.messages
      .slice(store.conversation.messages.findLastIndex(({ role }) => role === 'user') + 1)
      .map((message) => message.requestId)
    return own.requestId === requestId || (ids.includes(own.requestId) && ids.includes(requestId))
  }

  /** A run is asked to stop once, however often the user says so. */
  async function stopOnce(requestId: string, stop: () => Promise<StopResult>): Promise<StopResult> {
    const before = stopping.get(requestId)
    if (before !== undefined) return before
    let settle = (_known: StopResult): void => {}
    // First: a subscriber or callback of the stop may call it again.
    stopping.set(requestId, new Promise((resolve) => (settle = resolve)))
    const known = await stop()
    store.conversation = markStop(store.conversation, requestId, known)
    publisher.flush()
    settle(known)
    return known
  }

  return {
    async stop(requestId) {
      const own = store.run
      if (own !== undefined && !isOver(own) && (requestId === undefined || isContinuedBy(own, requestId)))
        return stopOnce(own.requestId, () => stopLive(own))
      if (own !== undefined && requestId === undefined) dispatch(own, 'settled')
      const last = store.conversation.messages.at(-1)
      // A run that carried answers, and failed, leaves the prompts of the run before it.
      const asked = promptsAwaited(store)[0]?.message
      const id = requestId ?? asked?.requestId ?? own?.requestId ?? last?.requestId
      if (id === undefined) return last === undefined ? 'cancelled' : (stopOf([last]) ?? 'left')
      return stopOnce(id, () => stopEnded(id))
    },
    forget: (requestId) => void stopping.delete(requestId),
  }
}

/** Whether the agent still works on a run, as far as its messages show. Undefined: not known, because the page has given up the connection or has no answer. */
function stopOf(messages: readonly ChatMessage[]): StopResult | undefined {
  const answers = messages.filter(({ role }) => role !== 'user')
  if (answers.some(({ status, stop }) => status === 'stopped' && stop !== 'cancelled')) return 'left'
  const isEnded = answers.length > 0 && answers.every(({ status }) => status === 'complete' || status === 'stopped')
  return isEnded ? 'cancelled' : undefined
}

/** Requests by id: a message that is sent again under its id goes out with the same words, not merely the same id. */
interface RequestCache {
  /** The request of a run: made by the client once, and again only for another client. Rejects when the client cannot make it. */
  request(client: AgentClient, run: Run, store: Pick<ChatStore, 'conversation' | 'stateEdit'>): Promise<unknown>
  /** Keeps the request of a run that goes out. */
  set(client: AgentClient, run: Run, request: unknown): void
  delete(requestId: string): void
}

export function createRequestCache({ conversationId }: ChatOptions, lineage: LineageLog): RequestCache {
  const made = new Map<string, { readonly client: AgentClient; readonly request: unknown }>()
  return {
    async request(client, { requestId, outgoing }, { conversation: { messages }, stateEdit }) {
      const known = made.get(requestId)
      if (known?.client === client) return known.request
      const first = messages.findIndex((message) => message.requestId === requestId)
      const before = first === -1 ? messages : messages.slice(0, first)
      const hasQuestion = first === -1 || messages[first]?.role === 'user'
      const answers = answersIn(before)
      // A run without its own message carries answers, or asks the last message again.
      const isAnswering = answers.length > 0 || (!hasQuestion && before.at(-1)?.role === 'assistant')
      return client.createRequest({
        ...outgoing,
        ...(isAnswering && { text: '', files: undefined }),
        conversationId,
        requestId,
        lineage: lineage.of(requestId, messages),
        after: before.findLast(({ handle }) => handle !== undefined)?.handle,
        stateEdit,
        ...(answers.length > 0 ? { answers } : {}),
        ...(!hasQuestion && before.at(-1)?.role === 'user' ? { isRegeneration: true } : {}),
        get history() {
          return before.map(historyOf)
        },
      })
    },
    set: (client, { requestId }, request) => void made.set(requestId, { client, request }),
    delete: (requestId) => void made.delete(requestId),
  }
}

/** The answers that go out with the run after these messages. */
function answersIn(messages: readonly ChatMessage[]): readonly PromptReply[] {
  return undecidedPrompts(messages).flatMap(({ prompt }) => {
    const { answer, answerId, state, answeredBy } = prompt
    return state === 'sending' && answeredBy === 'next-run' && answer && answerId !== undefined
      ? [{ prompt, answer, answerId }]
      : []
  })
}

/** A message without what only the page has added. */
function historyOf({ id, role, parts, files, metadata, handle }: ChatMessage): HistoryMessage {
  return {
    id,
    role,
    files,
    ...(role === 'user' && { metadata }),
    ...(handle === undefined ? {} : { handle }),
    parts: parts.flatMap((part) => (part.type === 'gap' || part.type === 'warning' ? [] : part)),
  }
}
