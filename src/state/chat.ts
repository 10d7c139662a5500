import { assertSettled } from '../base/assert-options.ts'
import {
  type RegenerateOptions,
  type SendOptions,
  type ChatInstance,
  type CapturableChat,
  type ChatOptions,
  type SendResult,
  QUEUED,
  resultOf,
  type ChatCallbacks,
  type ChatMaker,
} from './chat-options.ts'
import { createChatRuns, createRequestCache } from './chat-runs.ts'
import { type ChatSnapshot, asRead, captureRun } from './chat-snapshot.ts'
import { type ChatMessage, type OutgoingMessage, createLineageLog } from './turn.ts'
import { noop } from '../base/noop.ts'
import { createChatStore, isBusy, snapshotOf, createPublisher } from './chat-store.ts'
import { mergeOutcome, allPrompts, changePrompt } from './prompts.ts'
import { prependMessages, isUnsent, messageToAskAgain, metadataOf, outgoingOf, withMetadata } from './conversation.ts'
import { isDone, isOver, isUnderWay } from './run.ts'
import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import type { ChatCommands, ChatCommandsOptions } from './chat-commands.ts'
import type { AgentClient } from '../session/agent-client.ts'

export type { ChatInstance, CapturableChat, ChatCallbacks, ChatOptions } from './chat-options.ts'

/**
 * Creates a live conversation with one agent. Framework-independent: hooks only read it.
 *
 * @example
 * ```ts
 * import { createChat, CapClient } from 'capstan'
 *
 * const client = new CapClient({ baseUrl: 'https://agent.example' })
 * const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
 * chat.subscribe(() => console.log(chat.getSnapshot().status))
 * await chat.sendMessage('Why do rivers meander?')
 * ```
 */
export function createChat(options: ChatOptions): CapturableChat {
  const { conversationId } = options
  const client = options.client()
  assertSettled('client', client)
  const { environment } = client
  const store = createChatStore(options)
  const publisher = createPublisher<ChatSnapshot>(environment, (previous) =>
    snapshotOf(store, conversationId, previous),
  )
  const lineage = createLineageLog()
  const requests = createRequestCache(options, lineage)
  const runs = createChatRuns({
    options,
    store,
    publisher,
    lineage,
    requests,
    onAsked: () => void commands().catch(noop),
  })
  const commands = loadCommands({ options, store, publisher, sendStaged: runs.sendStaged })
  let isDisposed = false
  /** How often it was disconnected, and stopped from outside. */
  let leaves = 0
  let stops = 0

  const refusal = (init: Pick<AgentErrorInit, 'kind' | 'code' | 'message'>): AgentError =>
    options.client().protocol.createError({ severity: 'FATAL', ...init })
  const invalid = (message: string): AgentError => refusal({ kind: 'protocol', code: 'invalid_request', message })

  function assertIdle(): void {
    if (isDisposed) throw refusal(DISPOSED)
    if (isBusy(store)) throw refusal(BUSY)
  }

  /** The message, when there is something in it. */
  function checked(outgoing: OutgoingMessage): OutgoingMessage {
    if (outgoing.text.trim() !== '' || outgoing.files?.length) return outgoing
    throw invalid('There is nothing to send: the message has neither text nor files.')
  }

  async function sendMessage(
    message: string | OutgoingMessage,
    { whenBusy, metadata }: SendOptions = {},
    requestId = environment.uuid(),
  ): Promise<SendResult | void> {
    const outgoing = checked(withMetadata(typeof message === 'string' ? { text: message } : message, metadata))
    const own = store.run
    if (whenBusy === 'say' && !outgoing.files?.length && isUnderWay(own)) {
      const before = leaves
      const { say } = await commands()
      if (await say(outgoing.text, requestId)) return
      // Nothing is sent from a chat that was left meanwhile: another one may have the conversation by now.
      if (leaves > before || (isOver(own) && !isDone(own))) return queue(requestId, outgoing)
    }
    if (whenBusy === undefined || whenBusy === 'reject' || !isBusy(store)) {
      assertIdle()
      return runs.ask(requestId, outgoing)
    }
    return queue(requestId, outgoing)
  }

  /** Keeps a message for the end of the run; after a failure or a stop it waits for the user. */
  function queue(id: string, message: OutgoingMessage): SendResult {
    if (isDisposed) throw refusal(DISPOSED)
    store.queued = [...store.queued, { id, message }]
    publisher.flush()
    return QUEUED
  }

  async function edit(
    messageId: string,
    message: string | OutgoingMessage,
    requestId = environment.uuid(),
  ): Promise<void> {
    const { messages } = store.conversation
    const index = messages.findIndex(({ id, role }) => id === messageId && role === 'user')
    const old = messages[index]
    if (old === undefined) throw invalid(`No user message with id ${JSON.stringify(messageId)}.`)
    const outgoing = checked(typeof message === 'string' ? { ...outgoingOf(old), text: message } : message)
    const before = stops
    void runs.stop()
    // A subscriber or callback of the stop may have begun something else.
    assertIdle()
    store.conversation = lineage.cut(store.conversation, index)
    const asked = runs.ask(requestId, outgoing)
    // A stop in the middle of an edit is about the run that the edit begins.
    if (stops > before) void runs.stop()
    return asked
  }

  /** The same question under the same id: the agent may have heard it, only its answer was lost. */
  function sendAgain(unsent: ChatMessage & { readonly requestId: string }): Promise<void> {
    const messages = store.conversation.messages.filter((message) => message !== unsent)
    store.conversation = { messages, turn: undefined }
    return runs.ask(unsent.requestId, outgoingOf(unsent), true)
  }

  async function regenerate(
    messageId?: string,
    { metadata }: RegenerateOptions = {},
    requestId = environment.uuid(),
  ): Promise<void> {
    assertIdle()
    const { messages } = store.conversation
    const question = messageToAskAgain(messages, messageId)
    if (question === undefined) throw invalid('There is no answer to generate again.')
    // A message that never arrived has no answer to replace. Under its id goes the same request and no other.
    const isNeverSent = isUnsent(question)
    if (isNeverSent && metadata === undefined) return sendAgain(question)
    const outgoing = withMetadata(outgoingOf(question), metadata)
    store.conversation = lineage.cut(store.conversation, messages.indexOf(question) + (isNeverSent ? 0 : 1))
    return isNeverSent ? runs.ask(requestId, outgoing) : runs.begin(requestId, outgoing, undefined)
  }

  async function resume(): Promise<void> {
    if (isDisposed) return
    const resumed = runs.resume()
    if (allPrompts(store.conversation.messages).some(({ prompt }) => prompt.state === 'sending'))
      void commands().then(({ sendBegun }) => sendBegun(), noop)
    await resumed
  }

  async function retry(messageId?: string, requestId?: string): Promise<void> {
    const { run, conversation } = store
    if (run !== undefined && !isOver(run)) return run.state.session?.retryNow()
    assertIdle()
    const unsent = conversation.messages
      .filter(isUnsent)
      .findLast(({ id }) => messageId === undefined || id === messageId)
    if (unsent !== undefined) return sendAgain(unsent)
    if (run === undefined || !runs.isResumable(run))
      return regenerate(messageId, { metadata: metadataOf(conversation.messages, messageId) }, requestId)
    // A user who retries does not wait for the time that the server asked for.
    run.resumePoint.notBefore = undefined
    const resumed = resume()
    run.state.session?.retryNow()
    return resumed
  }

  return {
    conversationId,
    getSnapshot: publisher.get,
    subscribe: publisher.subscribe,
    changeState(edit) {
      if (!options.client().protocol.sharesState) return false
      store.stateEdit = edit
      publisher.flush()
      return true
    },
    sendMessage: (...given) => resultOf(sendMessage(...given)),
    edit: (...given) => resultOf(edit(...given)),
    regenerate: (...given) => resultOf(regenerate(...given)),
    say: (text) => resultOf(sendMessage(text, { whenBusy: 'say' })),
    answer: async (...given) => (await commands()).answer(...given),
    settlePrompts(outcomes) {
      for (const outcome of outcomes)
        store.conversation = changePrompt(store.conversation, outcome.id, (prompt) => mergeOutcome(prompt, outcome))
      publisher.flush()
    },
    changeLease: async (...given) => (await commands()).changeLease(...given),
    stop() {
      stops += 1
      return runs.stop()
    },
    stopRun: runs.stop,
    async disconnect() {
      leaves += 1
      runs.disconnect()
    },
    resume,
    retry: (...given) => resultOf(retry(...given)),
    capture() {
      const { run, conversation, warnings, connection: _, ...rest } = store
      const read = asRead(conversation, run, environment.clock.date())
      return {
        ...rest,
        messages: read.messages,
        warnings: warnings.items,
        run: run && (!isOver(run) || runs.isResumable(run)) ? captureRun(run, read) : undefined,
      }
    },
    discard(messageId) {
      const { queued, conversation } = store
      const waiting = queued.find(({ id }) => id === messageId)
      if (waiting !== undefined) {
        store.queued = queued.filter((other) => other !== waiting)
        publisher.flush()
        return waiting.message
      }
      const message = conversation.messages.find(({ id, status }) => id === messageId && status === 'not-sent')
      if (message === undefined) return undefined
      const messages = conversation.messages.filter((other) => other !== message)
      store.conversation = { turn: conversation.turn, messages }
      store.error = undefined
      requests.delete(message.requestId ?? '')
      publisher.flush()
      return outgoingOf(message)
    },
    prepend(messages) {
      store.conversation = prependMessages(store.conversation, messages)
      publisher.flush()
    },
    clearError() {
      store.error = undefined
      publisher.flush()
    },
    async dispose() {
      isDisposed = true
      store.queued = []
      // A run that has ended here may be resumed elsewhere.
      const told = isBusy(store) ? runs.stop() : undefined
      publisher.cancel()
      await told
    },
  }
}

const BUSY = {
  kind: 'runtime',
  code: 'busy',
  message: 'The agent is still answering. Wait for it, or stop it first.',
} as const

/** What is wrong when a chat is asked to send after its end. */
const DISPOSED = {
  kind: 'runtime',
  code: 'app_error',
  message: 'Nothing was sent: this chat was disposed of. Create a new one.',
} as const

/** What the module of commands exports. */
interface CommandsModule {
  createChatCommands(options: ChatCommandsOptions): ChatCommands
}

let loaded: CommandsModule | undefined

/** Loads the code of commands, which most pages need none of. A load that failed is tried again at the next call. */
export async function loadCommandsModule(): Promise<CommandsModule> {
  return (loaded ??= await import('./chat-commands.ts'))
}

/** The commands of a chat, made when the first is used. */
function loadCommands(options: ChatCommandsOptions): () => Promise<ChatCommands> {
  let commands: ChatCommands | undefined
  return async () => {
    const { createChatCommands } = loaded ?? (await loadCommandsModule())
    return (commands ??= createChatCommands(options))
  }
}

/** Options of one component that uses a chat, read at each use. */
type ChatSource = () => { readonly client: AgentClient; readonly callbacks: ChatCallbacks }

interface ChatSeed {
  readonly conversationId: string
  readonly client: AgentClient
  readonly initialMessages?: readonly ChatMessage[] | undefined
  /** Makes the chat, where it is to be kept beyond the page. */
  readonly store?: ChatMaker | undefined
}

/**
 * The chats of one provider, one per conversation however many components show it. When the last component unmounts,
 * the connection is closed and the run stays open: the next component that shows the conversation resumes the answer.
 *
 * Chats that no component shows are kept while something is unfinished in them: a run, a queued or an unsent message.
 * Of all others the {@link KEPT_CHATS} left last are kept; those left before are disposed of. The messages of a
 * disposed chat without a store are lost, and its conversation starts with `initialMessages` again; with a store they
 * are loaded again.
 */
export interface ChatRegistry {
  /** The chat of the conversation; made on first call. */
  obtain(seed: ChatSeed): ChatInstance
  /** Counts a user of the chat; the returned function lets go of it. */
  retain(chat: ChatInstance, source: ChatSource): () => void
}

/** Finished chats that no component shows, so that they are there again when shown, and memory stays bounded. */
export const KEPT_CHATS = 16

interface Entry {
  readonly chat: ChatInstance
  readonly sources: Set<ChatSource>
  readonly client: AgentClient
  cancelLeaving: () => void
  left: boolean
}

export function createChatRegistry(): ChatRegistry {
  const entries = new Map<string, Entry>()
  /** Chats that no component shows, the most recent last. */
  const idle = new Set<Entry>()

  function leave(entry: Entry): void {
    entry.left = true
    void entry.chat.disconnect()
    idle.add(entry)
    for (const old of idle) {
      if (idle.size <= KEPT_CHATS) return
      if (isUnfinished(old.chat)) continue
      idle.delete(old)
      entries.delete(old.chat.conversationId)
      void old.chat.dispose()
    }
  }

  function create({ conversationId, client, initialMessages, store }: ChatSeed): Entry {
    const sources = new Set<ChatSource>()
    const each = <Value>(
      value: Value,
      pick: (callbacks: ChatCallbacks) => ((value: Value) => void) | undefined,
    ): void => {
      for (const source of [...sources]) pick(source().callbacks)?.(value)
    }
    const callbacks: ChatCallbacks = {
      onFinish: (message) => each(message, ({ onFinish }) => onFinish),
      onWarning: (warning) => each(warning, ({ onWarning }) => onWarning),
      onError: (error) => each(error, ({ onError }) => onError),
      onEnd: (end) => each(end, ({ onEnd }) => onEnd),
    }
    const newest = (): AgentClient => [...sources].at(-1)?.().client ?? client
    const options: ChatOptions = { conversationId, initialMessages, client: newest, callbacks: () => callbacks }
    // As if disconnected: the first component that shows it resumes what another page began.
    return {
      chat: store === undefined ? createChat(options) : store.open(options),
      sources,
      client,
      cancelLeaving: () => {},
      left: store !== undefined,
    }
  }

  return {
    obtain(seed) {
      const entry = entries.get(seed.conversationId) ?? create(seed)
      entries.set(seed.conversationId, entry)
      // About to be shown.
      if (idle.delete(entry)) idle.add(entry)
      return entry.chat
    },
    retain(chat, source) {
      const entry = entries.get(chat.conversationId)
      if (entry?.chat !== chat) return () => {}
      entry.sources.add(source)
      entry.cancelLeaving()
      idle.delete(entry)
      if (entry.left) void chat.resume()
      entry.left = false
      return () => {
        entry.sources.delete(source)
        if (entry.sources.size > 0) return
        // A remount in the same task (StrictMode, a moved component) does not count as unmounting.
        entry.cancelLeaving = entry.client.environment.clock.after(0, () => leave(entry))
      }
    },
  }
}

function isUnfinished(chat: ChatInstance): boolean {
  const { status, queued, messages } = chat.getSnapshot()
  return status === 'submitted' || status === 'streaming' || queued.length > 0 || messages.some(isUnsent)
}
