import { readHandle } from '../handle.ts'
import type { AgUiMessage } from '../messages.ts'
import type { HistoryMessage } from '../../../seam/chat-input.ts'

/** What makes messages of a thread out of those that no server of AG-UI has given as they are: with files, or from elsewhere. */
export type ForeignMessages = (message: HistoryMessage) => readonly AgUiMessage[]

/** Why a call has no result. */
const INTERRUPTED = 'interrupted'

/**
 * The thread of a conversation. Answers of this protocol are the messages that their server gave, with its ids; what only the page
 * shows is left out.
 *
 * @param foreign needed where a message is foreign
 */
export function toThread(
  history: readonly HistoryMessage[],
  foreign: ForeignMessages | undefined,
): readonly AgUiMessage[] {
  let thread: AgUiMessage[] = []
  for (const message of history) {
    const { id, role } = message
    const known = readHandle(message.handle)
    if (known?.isWhole === true) thread = []
    // Text alone is a string, which every server reads.
    if (known !== undefined) thread.push(...known.messages)
    else thread.push(...(isForeign(message) ? (foreign?.(message) ?? []) : [{ id, role, content: saidText(message) }]))
  }
  return inOrder([...new Map(thread.map((message) => [`${message.role} ${message.id}`, message])).values()])
}

/** Results directly behind their calls, as models want them; servers leave them last. Activities are never sent back. */
function inOrder(thread: readonly AgUiMessage[]): readonly AgUiMessage[] {
  const results = new Map(
    thread.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId ?? '', message] as const] : [])),
  )
  const called = new Set(thread.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)))
  return thread.flatMap((message) => {
    if (message.role === 'activity') return []
    if (message.role === 'tool') return called.has(message.toolCallId ?? '') ? [] : [message]
    return [message, ...(message.toolCalls ?? []).flatMap(({ id }) => results.get(id) ?? [])]
  })
}

/** The thread with a result for every call that has none: models refuse every later turn of a conversation with an open call. */
export function settledThread(
  thread: readonly AgUiMessage[],
  isExcepted: (callId: string) => boolean,
): readonly AgUiMessage[] {
  const results = new Set(thread.map(({ toolCallId }) => toolCallId))
  return thread.flatMap((message) => {
    const open = (message.toolCalls ?? []).filter(({ id }) => !results.has(id) && !isExcepted(id))
    return [message, ...open.map(({ id }) => resultMessage(id, '', INTERRUPTED))]
  })
}

/** The result of a tool of the page. Its content is text: servers refuse parts. */
export function resultMessage(toolCallId: string, content: string, error?: string): AgUiMessage {
  return { id: `result-${toolCallId}`, role: 'tool', toolCallId, content, ...(error !== undefined && { error }) }
}

/** JSON as the text of a result. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The text of a message. */
export function saidText({ parts }: HistoryMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

/** Whether no server of AG-UI has given the message as it is, and it is more than the text of a user. */
export function isForeign({ role, files = [], handle }: HistoryMessage): boolean {
  return files.length > 0 || (role === 'assistant' && readHandle(handle) === undefined)
}
