import type { AgentPart } from '../seam/agent-event.ts'
import type { Attachment } from '../seam/chat-input.ts'
import { shape } from '../base/guards.ts'
import { report } from '../base/ports/environment.ts'
import { isThread, MESSAGE_FIELDS } from './records/stored-fields.ts'
import type { StoredMessage } from './records/stored-message.ts'
import type { StoredThread } from './records/thread-disk.ts'
import { uniqueMessages } from '../state/conversation.ts'
import type { WriteBehind } from './disk/write-behind.ts'
import type { StoredChat } from './stored-chat.ts'

/** What a server sends is anything until then; what is not a message is left out. */
const isMessage = shape<StoredMessage>(MESSAGE_FIELDS)

/** Loads conversations of a server to this device: the list at once, and the messages of one when it is opened. */
function syncRemote(remote: RemoteThreads, { disk, threads, list, open }: LinkedStore): RemoteLink {
  /** Those of which this device has no messages yet. */
  const missing = new Map<string, StoredThread>()
  let merging: Promise<void> | undefined

  const merge = async (): Promise<void> => {
    await open()
    for (const thread of (await remote.list()).map(threadOf).filter(isThread))
      if (!threads.has(thread.id)) missing.set(thread.id, thread)
    list([...missing.values()])
    for (const [id, thread] of missing) void disk.write(id, { thread })
  }
  const start = (): Promise<void> => (merging ??= attempt(merge))

  const fill = async (id: string): Promise<void> => {
    const { state, messages, thread: own } = await disk.read(id)
    if (state !== undefined || messages.size > 0) return
    await start()
    const thread = missing.get(id) ?? own
    if (thread === undefined) return
    const stored = uniqueMessages((await remote.read(id)).map(messageOf).filter(isMessage))
    if (stored.length === 0) return
    await disk.write(id, {
      // Refused where a tab has begun to write this conversation meanwhile.
      term: 0,
      thread,
      state: { revision: 1, order: stored.map((message) => message.id), queued: [] },
      messages: new Map(stored.map((message) => [message.id, message])),
    })
    missing.delete(id)
  }

  return {
    start: () => void start(),
    filled(chat) {
      let visits = 0
      return {
        ...chat,
        async resume() {
          const visit = (visits += 1)
          await attempt(() => fill(chat.conversationId))
          // The page may have left it meanwhile.
          if (visit === visits) await chat.resume()
        },
        async dispose() {
          visits += 1
          await chat.dispose()
        },
      }
    },
    rename: (id, title) => void attempt(async () => remote.rename?.(id, title)),
    remove: (id) => void attempt(async () => remote.remove?.(id)),
  }
}

/** A failure of the server is reported and changes nothing here. */
async function attempt(task: () => Promise<void>): Promise<void> {
  try {
    await task()
  } catch (error) {
    report(error)
  }
}

function threadOf({ id, title, createdAt, updatedAt }: RemoteThread): StoredThread {
  return { id, title, named: true, status: 'idle', unread: false, createdAt, updatedAt }
}

function messageOf({ id, role, parts, files, status, requestId, at }: RemoteMessage): StoredMessage {
  const isUser = role === 'user'
  return {
    id,
    role,
    parts,
    status: isUser ? 'sent' : status,
    requestId,
    createdAt: at,
    ...(files && { files }),
    ...(!isUser && { endedAt: at }),
  }
}

/** A conversation that a server keeps. */
export interface RemoteThread {
  readonly id: string
  readonly title: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

/** A message of it, as `createAgentHandler` gives it. */
export interface RemoteMessage {
  /** Unique in its conversation. */
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly (({ readonly type: 'text'; readonly text: string } | AgentPart) & { readonly id: string })[]
  readonly files?: readonly (string | Attachment)[] | undefined
  readonly status: 'complete' | 'stopped' | 'failed'
  /** The request that asked, or was answered. */
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Conversations that a server keeps for this user. What it rejects with is reported, and the page continues with what it has. */
export interface RemoteThreads {
  list(): Promise<readonly RemoteThread[]>
  /** The messages of a conversation, oldest first; empty when the server has none. */
  read(id: string): Promise<readonly RemoteMessage[]>
  /** Absent: titles are changed on this device only. */
  rename?(id: string, title: string): Promise<void>
  /** Absent: conversations are deleted on this device only. */
  remove?(id: string): Promise<void>
}

/** Asks a server: a path that begins with `/conversations`, and what `fetch` takes. */
export type RemoteRequest = (path: string, init: RequestInit) => Promise<Response>

/**
 * A server that keeps conversations, for the option `remote` of `createThreadStore`.
 *
 * @param server asks a server that has `createAgentHandler` with `authorize`; for another one, its functions
 *
 * @example
 * ```ts
 * import { createThreadStore, remoteThreads } from 'capstan/storage'
 *
 * const remote = remoteThreads((path, init) => fetch(`/cap${path}`, init))
 * export const store = createThreadStore({ name: 'river-desk', remote })
 * ```
 */
export function remoteThreads(server: RemoteRequest | RemoteThreads): RemoteSource {
  const remote = typeof server === 'function' ? overHttp(server) : server
  return { link: (store) => syncRemote(remote, store) }
}

function overHttp(request: RemoteRequest): RemoteThreads {
  const ask = async (path: string, method: string, body?: object): Promise<Response> => {
    const response = await request(`/conversations${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!response.ok && response.status !== 404)
      throw new Error(`The server of the conversations answered ${method} by ${response.status}.`)
    return response
  }
  const pathOf = (id: string): string => `/${encodeURIComponent(id)}`
  /** The list under a name, or none where anything else came; what is in it is checked when it is written and read. */
  const listIn = async <Item>(response: Response, name: string): Promise<readonly Item[]> => {
    if (!response.ok) return []
    const body = (await response.json()) as Readonly<Record<string, unknown>> | null
    const list = body?.[name]
    return Array.isArray(list) ? (list as readonly Item[]) : []
  }
  return {
    list: async () => listIn(await ask('', 'GET'), 'conversations'),
    read: async (id) => listIn(await ask(pathOf(id), 'GET'), 'messages'),
    rename: async (id, title) => void (await ask(pathOf(id), 'PATCH', { title })),
    remove: async (id) => void (await ask(pathOf(id), 'DELETE')),
  }
}

/** What a server that keeps conversations needs of a store. */
interface LinkedStore {
  readonly disk: Pick<WriteBehind, 'read' | 'write'>
  /** The threads of this device, by id. */
  readonly threads: ReadonlyMap<string, StoredThread>
  /** Puts threads on the list. */
  list(threads: readonly StoredThread[]): void
  /** Opens the store. */
  open(): Promise<void>
}

/** A store and the server that keeps its conversations. */
interface RemoteLink {
  /** Fetches the list, once. */
  start(): void
  /** The same chat, whose messages are fetched before it resumes where this device has none. */
  filled(chat: StoredChat): StoredChat
  rename(id: string, title: string): void
  remove(id: string): void
}

/** A server that keeps conversations, made by `remoteThreads`: a store without one carries none of its code. */
export interface RemoteSource {
  link(store: LinkedStore): RemoteLink
}
