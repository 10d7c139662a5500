import { isAgentError } from '../base/agent-error.ts'
import type { AgentClient } from '../session/agent-client.ts'
import { idleConnection } from '../session/connection-state.ts'
import type { Connection } from '../session/connection.ts'
import type { Ending } from '../session/session.ts'
import type { SessionEvent } from '../session/take-batch.ts'
import { createSession } from '../session/session.ts'
import type { CapturableChat, ChatCallbacks, ChatOptions } from './chat-options.ts'
import type { ChatSnapshot, ChatStatus, OutgoingMessage, SendOptions } from './chat-snapshot.ts'
import { asRead, captureRun, runOf } from './chat-state.ts'
import type { Conversation } from './conversation.ts'
import { applyEvent, beginTurn, canResumeTurn, endTurn, hasBegun, markSent, prependMessages, resumeTurn } from './conversation.ts'
import { createGrowingList } from './growing-list.ts'
import { createLineageLog } from './lineage.ts'
import type { Message } from './message.ts'
import { createPublisher } from './publisher.ts'
import { answersTo, isUnsent, messageToAskAgain, outgoingOf, questionOf } from './resend.ts'
import { createRefusals } from './refusals.ts'
import type { Run } from './run.ts'
import { runEnd } from './run-end.ts'
import { REQUEST_FAILED, createRun, isOver, isUnderWay, move, whenEnded } from './run.ts'
import type { SendResult } from './send-result.ts'
import { QUEUED, resultOf } from './send-result.ts'

export type { CapturableChat, ChatCallbacks, ChatOptions } from './chat-options.ts'

/** A live conversation with one agent. It knows no framework; hooks only read it. */
export function createChat(options: ChatOptions): CapturableChat {
  const { conversationId, initialMessages = [], initialState = { messages: initialMessages, queued: [], warnings: [] } } = options
  const environment = options.client().environment
  const { clock } = environment
  let conversation: Conversation = { messages: initialState.messages, turn: initialState.run?.turn }
  let connection: Connection = idleConnection(options.client().retry.maxAttempts)
  let { error, queued } = initialState
  const warnings = createGrowingList(initialState.warnings)
  let run = runOf(initialState)
  let isDisposed = false
  const refusals = createRefusals(options.client)
  const lineage = createLineageLog()
  /** What was asked under ids that may be asked again: the same words go out, not merely the same id. */
  const requests = new Map<string, { readonly client: AgentClient; readonly request: unknown }>()

  const publisher = createPublisher<ChatSnapshot>(environment, (previous) => {
    const { messages } = conversation
    const status = currentStatus()
    const next: ChatSnapshot = { conversationId, messages, status, connection, error, warnings: warnings.items, queued }
    // Both have exactly the keys written on the line above.
    return previous !== undefined && (Object.keys(next) as (keyof ChatSnapshot)[]).every((key) => previous[key] === next[key]) ? previous : next
  })

  function currentStatus(): ChatStatus {
    if (isUnderWay(run)) return hasBegun(conversation) ? 'streaming' : 'submitted'
    return error === undefined ? 'ready' : 'error'
  }

  function assertIdle(): void {
    if (isDisposed) throw refusals.disposed()
    if (isUnderWay(run)) throw refusals.busy()
  }

  /** Begins a run: the message is shown at once, the request follows. */
  function begin(requestId: string, outgoing: OutgoingMessage, question: Message | undefined): Promise<void> {
    const own = createRun(requestId, outgoing)
    move(own, 'asked')
    run = own
    error = undefined
    connection = idleConnection(options.client().retry.maxAttempts)
    conversation = beginTurn(conversation, requestId, question, clock.date())
    publisher.flush()
    // Whoever heard of it may have ended it.
    if (!isOver(own)) void open(own)
    return whenEnded(own)
  }

  /** Makes the request of a run, once, and its session. */
  async function open(own: Run): Promise<void> {
    const client = options.client()
    try {
      const made = requests.get(own.requestId)
      const request = made?.client === client ? made.request : await client.createRequest({ ...own.outgoing, conversationId, requestId: own.requestId, lineage: lineage.of(own.requestId, conversation.messages) })
      if (!move(own, 'made')) return
      requests.set(own.requestId, { client, request })
      own.session = createSession({
        client,
        request,
        requestId: own.requestId,
        resumePoint: own.resumePoint,
        onEvents: (events) => void take(own, events),
        onConnection: (value) => follow(own, value),
        onEnded: (ending) => end(own, ending),
      })
      if (own.phase === 'left') own.session.disconnect()
      own.session.start()
    } catch (cause) {
      end(own, { type: 'failed', error: isAgentError(cause) ? cause : client.protocol.createError({ ...REQUEST_FAILED, cause }) })
    }
  }

  /** Whether all of it was written, so that more may come. */
  function take(own: Run, events: readonly SessionEvent[]): boolean {
    const at = clock.date()
    for (const [index, { event }] of events.entries()) {
      // A callback may have left or ended the run in the middle of a batch.
      if (own.phase === 'left') own.unread = events.slice(index)
      if (own.phase !== 'live') return false
      conversation = applyEvent(conversation, event, at)
      if (event.type !== 'warning') continue
      warnings.push(event.error)
      call((callbacks) => callbacks.onWarning?.(event.error))
    }
    if (own.phase !== 'live') return false
    publisher.schedule()
    return true
  }

  function follow(own: Run, value: Connection): void {
    if (run !== own) return
    if (value.phase === 'streaming') {
      conversation = markSent(conversation)
      lineage.told()
    }
    connection = value
    publisher.schedule()
  }

  function end(own: Run, ending: Ending): void {
    if (run !== own || isOver(own)) return
    move(own, 'ended')
    own.unread = []
    const waiters = own.waiters.splice(0)
    conversation = endTurn(conversation, ending, clock.date())
    if (!conversation.messages.some(({ requestId, status }) => requestId === own.requestId && status === 'not-sent')) requests.delete(own.requestId)
    if (ending.type === 'failed') error = ending.error
    publisher.flush()
    // A callback may begin another run, which may replace them.
    const { messages } = conversation
    if (ending.type === 'failed') call((callbacks) => callbacks.onError?.(ending.error))
    if (ending.type === 'finished') for (const answer of answersTo(own.requestId, messages)) call((callbacks) => callbacks.onFinish?.(answer))
    const over = runEnd(ending, own.requestId, messages)
    if (over !== undefined) call((callbacks) => callbacks.onEnd?.(over))
    for (const wake of waiters) wake()
    const [next] = queued
    // Not when a callback has begun something else or left, and never after a failure or a stop.
    if (move(own, 'settled') && ending.type === 'finished' && run === own && next !== undefined) {
      queued = queued.slice(1)
      void ask(next.message, next.id)
    }
  }

  /** An app's callback must not break the stream. */
  function call(notify: (callbacks: ChatCallbacks) => void): void {
    try {
      notify(options.callbacks?.() ?? {})
    } catch (cause) {
      environment.report(cause)
    }
  }

  async function sendMessage(message: string | OutgoingMessage, { whenBusy }: SendOptions = {}, requestId = environment.uuid()): Promise<SendResult | void> {
    const outgoing = refusals.checked(typeof message === 'string' ? { text: message } : message)
    if (whenBusy !== 'queue' || !isUnderWay(run)) {
      assertIdle()
      return ask(outgoing, requestId)
    }
    queued = [...queued, { id: requestId, message: outgoing }]
    publisher.flush()
    return QUEUED
  }

  async function edit(messageId: string, message: string | OutgoingMessage, requestId = environment.uuid()): Promise<void> {
    const { messages } = conversation
    const index = messages.findIndex(({ id, role }) => id === messageId && role === 'user')
    const old = messages[index]
    if (old === undefined) throw refusals.invalid('There is no such message of the person to edit.')
    const outgoing = refusals.checked(typeof message === 'string' ? { ...outgoingOf(old), text: message } : message)
    void stop()
    // Whoever heard of the stop may have begun something else.
    assertIdle()
    conversation = lineage.cut(conversation, index)
    return ask(outgoing, requestId)
  }

  function ask(outgoing: OutgoingMessage, requestId: string): Promise<void> {
    return begin(requestId, outgoing, questionOf(requestId, outgoing, clock.date()))
  }

  /** The same question under the same id: the agent may have heard it, only its answer was lost. */
  function sendAgain(unsent: Message & { readonly requestId: string }): Promise<void> {
    conversation = { messages: conversation.messages.filter((message) => message !== unsent), turn: undefined }
    return ask(outgoingOf(unsent), unsent.requestId)
  }

  async function regenerate(messageId?: string, requestId = environment.uuid()): Promise<void> {
    assertIdle()
    const question = messageToAskAgain(conversation.messages, messageId)
    if (question === undefined) throw refusals.invalid('There is no message to answer again.')
    // What never arrived has no answer to make anew.
    if (isUnsent(question)) return sendAgain(question)
    const index = conversation.messages.indexOf(question)
    conversation = lineage.cut(conversation, index + 1)
    return begin(requestId, outgoingOf(question), undefined)
  }

  function isResumable({ session, requestId }: Run): boolean {
    const line = session?.connection
    return (line === undefined || (line.phase === 'failed' && line.error.retryable)) && conversation.turn?.requestId === requestId && canResumeTurn(conversation)
  }

  async function resume(): Promise<void> {
    const own = run
    if (own === undefined || isDisposed || own.phase === 'live') return
    const { session, phase, unread } = own
    if (isOver(own)) {
      if (!isResumable(own)) return
      error = undefined
      conversation = resumeTurn(conversation)
    }
    const isChanged = move(own, session === undefined ? 'asked' : 'resumed')
    if (session !== undefined) {
      own.unread = []
      if (take(own, unread)) session.resume()
    } else if (isChanged && phase !== 'held') void open(own)
    publisher.flush()
    return whenEnded(own)
  }

  async function retry(messageId?: string, requestId?: string): Promise<void> {
    const own = run
    if (own !== undefined && !isOver(own)) return own.session?.retryNow()
    assertIdle()
    const unsent = conversation.messages.filter(isUnsent).findLast(({ id }) => messageId === undefined || id === messageId)
    if (unsent !== undefined) return sendAgain(unsent)
    if (own === undefined || !isResumable(own)) return regenerate(messageId, requestId)
    // A person does not wait for the time that the server asked for.
    own.resumePoint.notBefore = undefined
    const resumed = resume()
    own.session?.retryNow()
    return resumed
  }

  async function stop(): Promise<void> {
    const own = run
    if (own === undefined) return
    if (isOver(own)) return void move(own, 'settled')
    const told = own.session?.stop()
    // The session ends the run itself; without one the request was still being made.
    end(own, { type: 'stopped' })
    await told
  }

  return {
    conversationId,
    getSnapshot: publisher.get,
    subscribe: publisher.subscribe,
    sendMessage: (...given) => resultOf(sendMessage(...given)),
    edit: (...given) => resultOf(edit(...given)),
    regenerate: (...given) => resultOf(regenerate(...given)),
    stop,
    async disconnect() {
      if (run !== undefined && move(run, 'disconnected')) run.session?.disconnect()
      publisher.flush()
    },
    resume,
    retry: (...given) => resultOf(retry(...given)),
    capture() {
      const read = asRead(conversation, run, clock.date())
      return { messages: read.messages, queued, error, warnings: warnings.items, run: run && (!isOver(run) || isResumable(run)) ? captureRun(run, read) : undefined }
    },
    discard(messageId) {
      const waiting = queued.find(({ id }) => id === messageId)
      if (waiting !== undefined) {
        queued = queued.filter((other) => other !== waiting)
        publisher.flush()
        return waiting.message
      }
      const message = conversation.messages.find(({ id, status }) => id === messageId && status === 'not-sent')
      if (message === undefined) return undefined
      conversation = { turn: conversation.turn, messages: conversation.messages.filter((other) => other !== message) }
      requests.delete(message.requestId ?? '')
      error = undefined
      publisher.flush()
      return outgoingOf(message)
    },
    prepend(messages) {
      conversation = prependMessages(conversation, messages)
      publisher.flush()
    },
    clearError() {
      error = undefined
      publisher.flush()
    },
    async dispose() {
      isDisposed = true
      queued = []
      const told = stop()
      publisher.cancel()
      await told
    },
  }
}
