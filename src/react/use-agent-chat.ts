'use client'

import { useMemo, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { type ChatInstance, createChatRegistry } from '../state/chat.ts'
import type {
  ChatActions,
  RegenerateOptions,
  SendOptions,
  RunEnd,
  SendResult,
  ChatCallbacks,
  ChatMaker,
} from '../state/chat-options.ts'
import type { ChatSnapshot } from '../state/chat-snapshot.ts'
import type { OutgoingMessage, ChatTypes, MetadataOf, TypedMessage, ChatMessage } from '../state/turn.ts'
import { assertSettled } from '../base/assert-options.ts'
import { isDevelopment } from '../base/development.ts'
import { warnDeveloper } from '../base/warn-developer.ts'
import type { AgentClient } from '../session/agent-client.ts'
import { AgentContext, missingClient } from './agent-provider.tsx'
import { useLatest } from './use-latest.ts'
import { useSteadyOption } from './use-steady-option.ts'

/** What {@link useAgentChat} takes; all are optional. */
export interface AgentChatOptions<
  Types extends ChatTypes = ChatTypes,
  Client extends AgentClient = AgentClient,
> extends Omit<ChatInstanceOptions, 'client' | 'initialMessages' | 'onFinish' | 'onEnd'> {
  /** Another client than the provider's. @default the provider's */
  readonly client?: Client | undefined
  /** Messages to begin with; read once per conversation. @default [] */
  readonly initialMessages?: readonly TypedMessage<Types>[] | undefined
  /** An answer is complete. Absent: no callback. */
  readonly onFinish?: ((message: TypedMessage<Types>) => void) | undefined
  /**
   * A run has ended, for any reason. Called once per run, after `onFinish` and `onError`. Absent: no callback.
   */
  readonly onEnd?: ((end: Omit<RunEnd, 'message'> & { readonly message: TypedMessage<Types> }) => void) | undefined
}

/** A message to send, with the metadata of the app. */
export type TypedOutgoingMessage<Types extends ChatTypes> = Omit<OutgoingMessage, 'metadata'> & {
  readonly metadata?: MetadataOf<Types> | undefined
}

/** Metadata of one request, with the names that the app has for them. */
type TypedRegenerateOptions<Types extends ChatTypes> = Omit<RegenerateOptions, 'metadata'> & {
  /** Sent to the agent with this request, key by key over the metadata of the message. @default {} */
  readonly metadata?: Partial<MetadataOf<Types>> | undefined
}

/** The fields that the protocol of a client adds to its chats. */
type ChatFieldsOf<Client> = Client extends {
  readonly protocol: { readonly describeChat: (handle: unknown) => infer Fields }
}
  ? Fields
  : unknown

/** Snapshot, actions, and the chat itself to pass to `useChatSelector` or `<Chat chat={…}>`; with a client, the fields of its protocol. */
export type AgentChat<
  Types extends ChatTypes = ChatTypes,
  Client extends AgentClient = AgentClient,
> = TypedChat<Types> & ChatFieldsOf<Client>

/** What {@link AgentChat} has with a client of any protocol. */
export interface TypedChat<Types extends ChatTypes>
  extends Omit<ChatSnapshot, 'messages'>, Omit<ChatActions, 'sendMessage' | 'edit' | 'regenerate'> {
  readonly chat: ChatInstance
  readonly messages: readonly TypedMessage<Types>[]
  /** As `sendMessage` of {@link ChatActions}, with the metadata of the app. */
  sendMessage(
    message: string | TypedOutgoingMessage<Types>,
    options?: Omit<SendOptions, 'metadata'> & TypedRegenerateOptions<Types>,
  ): Promise<SendResult>
  /** As `edit` of {@link ChatActions}, with the metadata of the app. */
  edit(messageId: string, message: string | TypedOutgoingMessage<Types>): Promise<SendResult>
  /** As `regenerate` of {@link ChatActions}, with the metadata of the app. */
  regenerate(messageId?: string, options?: TypedRegenerateOptions<Types>): Promise<SendResult>
}

/**
 * A conversation with an agent, whatever protocol its client speaks, with the names of the AI SDK's `useChat`. Renders
 * again only when a field that was read changes, at most once a frame. Actions never change identity; options are read
 * when they are used.
 *
 * `useAgentChat<{ metadata: …; tools: …; data: … }>()` gives messages the types of your agent. They are a claim of
 * yours: nothing is checked while the app runs.
 *
 * The chat has the fields of its client's protocol: with an `A2AClient`, `contextId` and `taskId`. Of a provider's client they are named
 * by the second type: `useAgentChat<ChatTypes, A2AClient>()`.
 *
 * @example
 * ```tsx
 * import { textOf } from 'capstan'
 * import { useAgentChat } from 'capstan/react'
 *
 * export function Conversation() {
 *   const { messages, sendMessage } = useAgentChat()
 *   const answers = messages.map((message) => <p key={message.id}>{textOf(message)}</p>)
 *   return <section onClick={() => void sendMessage('Why do rivers meander?')}>{answers}</section>
 * }
 * ```
 */
export function useAgentChat<Types extends ChatTypes = ChatTypes, Client extends AgentClient = AgentClient>(
  options: AgentChatOptions<Types, Client> = {},
): AgentChat<Types, Client> {
  // What the app claims of its messages concerns types only: they are the same objects.
  const chat = useChatInstance(options as ChatInstanceOptions)
  const { protocol } = useContext(AgentContext)?.client ?? {}
  const described = options.client?.protocol ?? protocol
  const snapshot = useTracked(useMemo(() => withFields(chat, described), [chat, described]))
  return useMemo(() => {
    const {
      sendMessage,
      say,
      answer,
      changeLease,
      edit,
      regenerate,
      stop,
      disconnect,
      resume,
      retry,
      discard,
      prepend,
      clearError,
    } = chat
    const actions: Readonly<Record<keyof ChatActions, unknown>> & { readonly chat: ChatInstance } = {
      chat,
      sendMessage,
      say,
      answer,
      changeLease,
      edit,
      regenerate,
      stop,
      disconnect,
      resume,
      retry,
      discard,
      prepend,
      clearError,
    }
    // Descriptors, not values: copying the fields must not count as reading them. The messages have the types that the app claims.
    return Object.defineProperties({ ...actions }, Object.getOwnPropertyDescriptors(snapshot)) as unknown as AgentChat<
      Types,
      Client
    >
  }, [chat, snapshot])
}

/** The snapshots of a chat with the fields of its protocol. */
function withFields(chat: ChatInstance, protocol: AgentClient['protocol'] | undefined): Store<ChatSnapshot> {
  if (protocol?.describeChat === undefined) return chat
  let from: ChatSnapshot | undefined
  let made: ChatSnapshot
  return {
    subscribe: chat.subscribe,
    getSnapshot() {
      const snapshot = chat.getSnapshot()
      if (snapshot === from) return made
      from = snapshot
      const { handle } = snapshot.messages.findLast((message) => message.handle !== undefined) ?? {}
      return (made = { ...snapshot, ...protocol.describeChat?.(handle) })
    },
  }
}

export interface ChatInstanceOptions extends ChatCallbacks {
  /** Another client than the provider's. @default the provider's */
  readonly client?: AgentClient | undefined
  /** Which conversation to show. CAP wants a UUID. Another id shows another chat. @default a new one */
  readonly conversationId?: string | undefined
  /** Messages to begin with, each with its own id; read once per conversation. @default [] */
  readonly initialMessages?: readonly ChatMessage[] | undefined
  /** Keeps the conversation beyond the page; read once per conversation. @default the provider's */
  readonly store?: ChatMaker | undefined
}

/**
 * The chat of a conversation, whatever protocol its client speaks. Does not re-render: read it with `useChatSelector`.
 *
 * @example
 * ```tsx
 * import { MessageList } from 'capstan/components'
 * import { ChatContext, useChatInstance } from 'capstan/react'
 *
 * export function Transcript({ id }: { id: string }) {
 *   const chat = useChatInstance({ conversationId: id })
 *   return <ChatContext.Provider value={chat}><MessageList /></ChatContext.Provider>
 * }
 * ```
 */
export function useChatInstance(options: ChatInstanceOptions = {}): ChatInstance {
  const provided = useContext(AgentContext)
  const [ownRegistry] = useState(createChatRegistry)
  const client = options.client ?? provided?.client
  if (client === undefined) throw missingClient('the hook')
  assertSettled('client', client)
  const registry = provided?.registry ?? ownRegistry
  const [newId] = useState(() => client.environment.uuid())
  useSteadyId(options.conversationId)
  useSteadyOption('client', options.client)
  useSteadyOption('store', options.store)
  const conversationId = options.conversationId ?? newId
  const fault = isDevelopment() ? client.protocol.conversationIdFault?.(conversationId) : undefined
  if (fault !== undefined)
    throw client.protocol.createError({ kind: 'protocol', code: 'invalid_request', severity: 'FATAL', message: fault })
  const chat = registry.obtain({
    conversationId,
    client,
    initialMessages: options.initialMessages,
    store: options.store ?? provided?.store,
  })
  const latest = useLatest({ client, callbacks: options })
  useEffect(() => registry.retain(chat, () => latest.current), [registry, chat, latest])
  return chat
}

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

type Id = string | undefined

/** What is known of the ids of one component. */
interface IdCheck {
  readonly id: Id
  /** `repeated`: this render repeats the one before. `decided`: not checked any more. */
  readonly phase: 'steady' | 'repeated' | 'decided'
  /** Every id of a render before this one. */
  readonly seen: ReadonlySet<Id>
  /** An id that is made in the render. Absent: none was found. */
  readonly unsteady?: string
}

/**
 * Development only: warns when a component makes its id in each render. A render with another id is repeated at once,
 * with the same props and state, so an id that was never seen before can then only come from the render itself,
 * however fast an app changes its conversations.
 */
export function useSteadyId(id: Id): void {
  const [check, setCheck] = useState<IdCheck>(() => ({ id, phase: 'steady', seen: new Set([id]) }))
  try {
    if (process.env.NODE_ENV !== 'production') {
      const next = nextCheck(check, id)
      // A state that is set while rendering repeats this render, before anything else is rendered.
      if (next !== check) setCheck(next)
    }
  } catch {
    // A page without a bundler: nothing says that it is in development.
  }
  useEffect(() => {
    try {
      if (process.env.NODE_ENV !== 'production') warnOf(check)
    } catch {
      // As above.
    }
  }, [check])
}

function nextCheck(check: IdCheck, id: Id): IdCheck {
  const { phase, seen } = check
  if (phase === 'decided') return check
  if (check.id === id) return phase === 'steady' ? check : { ...check, phase: 'steady' }
  if (phase === 'steady') return { id, phase: 'repeated', seen: new Set([...seen, id]) }
  return id === undefined || seen.has(id)
    ? { ...check, phase: 'decided' }
    : { ...check, phase: 'decided', unsteady: id }
}

function warnOf({ unsteady }: IdCheck): void {
  if (unsteady !== undefined)
    warnDeveloper(
      `conversationId is another one at every render (now ${JSON.stringify(unsteady)}), so each render shows a new, empty conversation. Make it once: const [conversationId] = useState(() => crypto.randomUUID()), or leave it out.`,
    )
}

/** Something that publishes immutable snapshots. */
interface Store<Snapshot> {
  getSnapshot(): Snapshot
  subscribe(listener: () => void): () => void
}

/**
 * A snapshot that tracks which fields are read: the component renders again only when one of those fields changes.
 * Destructuring reads exactly the named fields.
 */
export function useTracked<Snapshot extends object>(store: Store<Snapshot>): Snapshot {
  const tracker = useMemo(() => createTracker(store), [store])
  // A separate function in each render: with the same one React 18 loses changes where a component also sets state while it renders.
  const getSnapshot = (): Snapshot => tracker.getSnapshot()
  const snapshot = useSyncExternalStore(store.subscribe, getSnapshot, getSnapshot)
  return useMemo(() => tracker.view(snapshot), [tracker, snapshot])
}

function createTracker<Snapshot extends object>(
  store: Store<Snapshot>,
): { getSnapshot(): Snapshot; view(snapshot: Snapshot): Snapshot } {
  const read = new Set<keyof Snapshot>()
  let last = store.getSnapshot()

  return {
    getSnapshot() {
      const newest = store.getSnapshot()
      for (const key of read) {
        if (Object.is(newest[key], last[key])) continue
        last = newest
        break
      }
      return last
    },
    view(snapshot) {
      const fields: PropertyDescriptorMap = {}
      // Object.keys gives string[]; a snapshot is a plain object with exactly its declared keys.
      for (const key of Object.keys(snapshot) as (keyof Snapshot & string)[]) {
        fields[key] = {
          enumerable: true,
          get: () => {
            read.add(key)
            return snapshot[key]
          },
        }
      }
      // The properties just defined are the snapshot's own, one by one.
      return Object.defineProperties({}, fields) as Snapshot
    },
  }
}
