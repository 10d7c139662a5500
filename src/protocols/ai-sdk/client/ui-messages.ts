import { createAiSdkError } from '../errors.ts'
import { withoutUndefined } from '../../../base/given-members.ts'
import { readHandle, type AiSdkHandle } from '../handle.ts'
import { ALLOW } from '../call-prompt.ts'
import { callIndex, shownParts } from '../message-parts.ts'
import { type UiMessage, type UiPart, isToolPart } from '../messages.ts'
import type { Attachment, ChatInput, HistoryMessage } from '../../../seam/chat-input.ts'
import type { Prompt } from '../../../seam/prompt.ts'

/** Why a call has no output. */
const INTERRUPTED = 'interrupted'

/** Servers want a media type of every file. */
const ANY_TYPE = 'application/octet-stream'

const DECLINED = 'The user declined.'

const DENIED = 'The call was denied.'

/**
 * The history as UIMessages. An answer of this protocol is as its server gave it, with the ids and metadata that models want back;
 * an answer that continued in several runs is one message. What the user has answered is in it.
 */
export function toUiMessages(history: readonly HistoryMessage[]): UiMessage[] {
  const messages = new Map<string, UiMessage>()
  for (const message of history) {
    const known = readHandle(message.handle)?.message
    const own = known === undefined ? plainMessage(message) : withAnswers(known, message)
    // Answers that a server has stored with an empty id are several messages.
    if (own.parts.length > 0) messages.set(own.id || message.id, { ...own, parts: own.parts.map(acceptablePart) })
  }
  return [...messages.values()]
}

/** A message that no call is open in: models refuse every later turn of a conversation with one that is. */
export function settled(message: UiMessage): UiMessage {
  return message.role === 'assistant' ? { ...message, parts: message.parts.map(settledPart) } : message
}

function settledPart(part: UiPart): UiPart {
  const { state, approval } = part
  if (state === 'streaming') return { ...part, state: 'done' }
  if (!isToolPart(part)) return part
  const isAllowed = approval?.approved === true || approval === undefined
  switch (state) {
    case 'approval-requested':
      return denied(part, undefined)
    case 'approval-responded':
    case 'input-available':
      return isAllowed ? { ...part, state: 'output-error', errorText: INTERRUPTED } : denied(part, approval.reason)
    default:
      return part
  }
}

/**
 * The part as servers accept it. They refuse a whole conversation for one part in which a member is missing, in which a call was made
 * without having been allowed, or was denied after it had been.
 */
function acceptablePart(part: UiPart): UiPart {
  if (part.type.startsWith('data-')) return { ...part, data: part.data ?? null }
  if (!isToolPart(part)) return part
  const { state, approval, input = {}, output = null } = part
  const isAllowed = approval === undefined || approval.approved === true
  switch (state) {
    case 'input-streaming':
      return part
    case 'output-available':
      return withoutUndefined({ ...part, input, output, approval: isAllowed ? approval : undefined })
    case 'output-error':
      return withoutUndefined({ ...part, approval: isAllowed ? approval : undefined })
    case 'output-denied':
      return isAllowed
        ? { ...part, state: 'output-error', errorText: DENIED }
        : denied({ ...part, input }, approval.reason)
    default:
      return { ...part, input }
  }
}

function denied(part: UiPart, reason: string | undefined): UiPart {
  const { approval } = part
  if (approval === undefined) return part
  return {
    ...part,
    state: 'output-denied',
    approval: { ...approval, approved: false, ...(reason !== undefined && { reason }) },
  }
}

function withAnswers(message: UiMessage, { parts: shown }: HistoryMessage): UiMessage {
  const parts = [...message.parts]
  for (const each of shown) {
    if (each.type !== 'prompt') continue
    const index = callIndex(each.prompt.subject?.toolCallId)
    const part = parts[index]
    if (part !== undefined) parts[index] = answered(part, each.prompt)
  }
  return { ...message, parts }
}

/** States in which the user has answered; of an answer that is not confirmed, nobody knows whether the server has it. */
const GIVEN: ReadonlySet<Prompt['state']> = new Set(['sending', 'unconfirmed', 'answered', 'declined', 'cancelled'])

/** The call as the user has answered it. Silence is never consent. */
function answered(part: UiPart, { state, answer, subject }: Prompt): UiPart {
  if (answer === undefined || !GIVEN.has(state)) return part
  const reason = answer.type === 'decline' ? answer.reason : undefined
  if (part.state === 'approval-requested' && part.approval !== undefined) {
    const approved = answer.type === 'option' && answer.optionId === ALLOW && answer.digest === subject?.digest
    return {
      ...part,
      state: 'approval-responded',
      approval: { ...part.approval, approved, ...(reason !== undefined && { reason }) },
    }
  }
  if (part.state !== 'input-available') return part
  if (answer.type === 'value') return { ...part, state: 'output-available', output: answer.value }
  return { ...part, state: 'output-error', errorText: reason ?? DECLINED }
}

/** The message of a user, or an answer that another protocol or the app has made. */
function plainMessage({ id, role, parts, files = [], metadata }: HistoryMessage): UiMessage {
  const said = parts.flatMap((part): UiPart[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    if (part.type !== 'tool-call' || part.status !== 'complete') return []
    const { name: toolName, input, output, id: toolCallId } = part
    return [{ type: 'dynamic-tool', toolName, toolCallId, state: 'output-available', input, output }]
  })
  return { id, role, ...(metadata !== undefined && { metadata }), parts: [...files.map(filePart), ...said] }
}

/** The message of the user that is sent. */
export function userMessage(id: string, { text, files = [], metadata }: ChatInput): UiMessage {
  return {
    id,
    role: 'user',
    ...(metadata !== undefined && { metadata }),
    parts: [...files.map(filePart), ...(text === '' ? [] : [{ type: 'text', text }])],
  }
}

function filePart(file: string | Attachment): UiPart {
  const { id, data, name, mimeType }: Partial<Attachment> = typeof file === 'string' ? { id: file } : file
  const mediaType = mimeType ?? ANY_TYPE
  const what = { type: 'file', mediaType, ...(name !== undefined && { filename: name }) }
  if (data !== undefined) return { ...what, url: `data:${mediaType};base64,${data}` }
  if (id !== undefined && URL.canParse(id)) return { ...what, url: id }
  throw createAiSdkError({
    kind: 'protocol',
    code: 'invalid_request',
    severity: 'FATAL',
    message: `The file ${JSON.stringify(id)} has neither bytes nor an address: the AI SDK carries files as data URLs or by an absolute URL.`,
  })
}

/** A message to begin a chat with. */
export interface InitialUiMessage extends HistoryMessage {
  readonly status: 'sent' | 'complete'
}

/**
 * The UIMessages of a server's store as messages to begin a chat with (`initialMessages`). They go back to the server unchanged.
 *
 * @param chatId the id of the conversation
 *
 * @example
 * ```tsx
 * import { fromUiMessages, type UiMessage } from 'capstan/ai-sdk'
 * import { useAgentChat } from 'capstan/react'
 *
 * export function Conversation({ id, stored }: { id: string; stored: readonly UiMessage[] }) {
 *   const { messages } = useAgentChat({ conversationId: id, initialMessages: fromUiMessages(id, stored) })
 *   return <p>{messages.length} messages</p>
 * }
 * ```
 */
export function fromUiMessages(chatId: string, messages: readonly UiMessage[]): InitialUiMessage[] {
  // Servers that make no ids store answers with empty ones: those are named after a message next to them.
  let beside = `before ${messages.find(({ id }) => id !== '')?.id}`
  let unnamed = 0
  return messages.map((message) => {
    const { role, parts } = message
    const id = message.id || `${beside} ${(unnamed += 1)}`
    if (message.id !== '') [beside, unnamed] = [`after ${id}`, 0]
    const handle: AiSdkHandle = { chatId, message }
    // The parts of a source or a text may be several, and one part may stand for several sources.
    const shown = new Map(
      parts.flatMap((part, index) =>
        role === 'user' && part.type === 'file'
          ? []
          : shownParts(parts, index, 0).map(({ partId, part: own }) => [partId, { ...own, id: partId }] as const),
      ),
    )
    const files = parts.flatMap(({ type, url = '', mediaType, filename }) =>
      role === 'user' && type === 'file' ? [{ id: url, name: filename ?? mediaType, mimeType: mediaType }] : [],
    )
    return {
      id,
      role,
      status: role === 'user' ? 'sent' : 'complete',
      parts: [...shown.values()],
      ...(files.length > 0 && { files }),
      handle,
    }
  })
}
