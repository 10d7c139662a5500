import type { AgentPart } from '../protocols/agent-event.ts'
import type { Attachment } from '../protocols/chat-input.ts'
import type { RemoteSource } from './remote-link.ts'
import { syncRemote } from './remote-sync.ts'

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

/** Conversations that a server keeps for this user. What it rejects with is reported, and the page goes on with what it has. */
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
