import { readHandle } from '../../protocols/ag-ui/handle.ts'
import type { AgUiMessage } from '../../protocols/ag-ui/schema/message.ts'
import type { Attachment, HistoryMessage } from '../../protocols/chat-input.ts'
import type { FilePart } from './file-parts.ts'

/** Why a call has no result. */
const INTERRUPTED = 'interrupted'

/**
 * The thread of a conversation. Answers of this protocol are the messages that their server gave, with its ids; what only the page
 * shows is left out.
 */
export function toThread(history: readonly HistoryMessage[], filePart: FilePart | undefined): readonly AgUiMessage[] {
  let thread: AgUiMessage[] = []
  for (const message of history) {
    const known = readHandle(message.handle)
    if (known === undefined) thread.push(...plainMessages(message, filePart))
    else thread = known.isWhole === true ? [...known.messages] : [...thread, ...known.messages]
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

/** The message of a user, or an answer that another protocol or the app has made. */
function plainMessages({ id, role, parts, files = [] }: HistoryMessage, filePart: FilePart | undefined): AgUiMessage[] {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  if (role !== 'assistant') return [questionMessage(id, text, files, filePart, role)]
  const calls = parts.flatMap((part) => (part.type === 'tool-call' && part.status === 'complete' ? [part] : []))
  const toolCalls = calls.map(({ id: callId, name, input }) => ({
    id: callId,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(input ?? {}) },
  }))
  const own = { id, role, content: text, ...(toolCalls.length > 0 && { toolCalls }) }
  if (text === '' && toolCalls.length === 0) return []
  return [own, ...calls.map(({ id: callId, output }) => resultMessage(callId, asText(output)))]
}

/** JSON as the text of a result. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** A message of the user: text alone as a string, which every server reads. @param filePart needed where there are files */
export function questionMessage(
  id: string,
  text: string,
  files: readonly (string | Attachment)[],
  filePart: FilePart | undefined,
  role: 'user' | 'system' = 'user',
): AgUiMessage {
  if (files.length === 0 || filePart === undefined) return { id, role, content: text }
  return { id, role, content: [...(text === '' ? [] : [{ type: 'text', text }]), ...files.map(filePart)] }
}
