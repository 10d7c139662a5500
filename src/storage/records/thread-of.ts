import type { ChatStatus, ChatState } from '../../state/chat-snapshot.ts'
import type { ChatMessage } from '../../state/turn.ts'
import type { ThreadStatus } from '../../state/thread.ts'
import type { StoredMessage } from './stored-message.ts'
import type { StoredThread, ThreadRecord } from './thread-disk.ts'

/** UTF-16 code units of a first message that make a title. */
const TITLE_LENGTH = 80

const LIVE: ReadonlySet<ChatMessage['status']> = new Set(['sending', 'pending', 'streaming'])

/** Whether the conversation waits for the agent or for the user. */
export function isUnfinished(status: ThreadStatus | undefined): boolean {
  return status === 'running' || status === 'awaiting-input'
}

function unfinishedStatus(status: ChatStatus): ThreadStatus | undefined {
  if (status === 'awaiting-input') return status
  return status === 'submitted' || status === 'streaming' ? 'running' : undefined
}

/** Whether the run of a request still says something. */
export function isRunLive(messages: readonly ChatMessage[], requestId: string): boolean {
  return messages.some((message) => message.requestId === requestId && LIVE.has(message.status))
}

/** The words a thread began with, on one line. */
export function threadTitle(messages: readonly Pick<StoredMessage, 'role' | 'parts'>[]): string {
  const first = messages.find(({ role }) => role === 'user')
  const said = first?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''
  const text = said.replaceAll(/\s+/g, ' ').trim()
  // Whole characters only: none is cut in two.
  return text.length > TITLE_LENGTH
    ? `${text
        .slice(0, TITLE_LENGTH)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`
    : text
}

export interface ThreadOfOptions {
  readonly id: string
  readonly before: StoredThread | undefined
  readonly state: ChatState
  readonly status: ChatStatus
  /** Whether the page is visible. */
  readonly isVisible: boolean
  readonly now: number
}

/** What a list says of a chat. Pure; equal for every word of a streaming answer. */
export function threadOf({ id, before, state, status, isVisible, now }: ThreadOfOptions): StoredThread {
  const { messages } = state
  const last = messages.at(-1)
  const isBroken =
    status === 'error' ||
    messages.some((message) => message.status === 'not-sent') ||
    last?.status === 'failed' ||
    last?.status === 'incomplete'
  const current = unfinishedStatus(status) ?? (isBroken ? 'failed' : 'idle')
  const hasEnded = isUnfinished(before?.status) && !isUnfinished(current)
  return {
    id,
    title: before?.named ? before.title : threadTitle(messages),
    named: before?.named ?? false,
    status: current,
    unread: hasEnded ? !isVisible : (before?.unread ?? false),
    createdAt: before?.createdAt ?? messages[0]?.createdAt ?? now,
    updatedAt: last?.endedAt ?? last?.createdAt ?? before?.updatedAt ?? now,
  }
}

/** The first words of a stored thread. */
export function titleOfRecord({ state, messages }: ThreadRecord): string {
  return threadTitle((state?.order ?? []).flatMap((id) => messages.get(id) ?? []))
}
