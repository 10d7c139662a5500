import { isJsonObject } from '../../../base/json-object.ts'
import { createA2AError } from '../errors.ts'
import { readHandle } from '../handle.ts'
import { REPLY_KEY } from '../task-prompt.ts'
import type { MessageRequest, SendConfiguration } from '../request.ts'
import type { Part } from '../messages.ts'
import type { Attachment, ChatInput, PromptReply } from '../../../seam/chat-input.ts'

/** What goes with every message of a client. */
export interface A2AContext {
  /** The context a conversation begins in, as the agent named it. Absent: the agent makes one. */
  readonly contextId?: string | undefined
  /** How the agent processes messages. Default: the agent's. */
  readonly configuration?: SendConfiguration | undefined
  /** Added to the metadata of every message. Absent: none. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** The same for all messages, or asked for at each. */
export type A2AContextSource = A2AContext | ((input: ChatInput) => A2AContext | Promise<A2AContext>)

/**
 * Wraps a user's message in a message of A2A. Its id is the request id, so that it can be looked up. Answers to the question that the
 * run before ended with go to the task that asked.
 */
export async function createA2ARequest(
  input: ChatInput,
  source: A2AContextSource | undefined,
  tenant: string | undefined,
): Promise<MessageRequest> {
  const context = (typeof source === 'function' ? await source(input) : source) ?? {}
  const after = readHandle(input.after)
  const { answers = [], requestId, text, files = [] } = input
  const answersQuestion = after.taskId !== undefined && after.asked !== undefined && !isTakenBack(input, after.asked)
  const metadata = { ...context.metadata, ...input.metadata }
  return {
    tenant,
    message: {
      messageId: requestId,
      role: 'ROLE_USER',
      parts: [...answers.flatMap(answerParts), ...(text === '' ? [] : [{ text }]), ...files.map(toPart)],
      contextId: after.contextId ?? context.contextId,
      ...(answersQuestion ? { taskId: after.taskId } : {}),
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    },
    configuration: context.configuration,
    ...(answersQuestion ? { after } : {}),
  }
}

/** Whether the user has cancelled the question, and its task with it. */
function isTakenBack({ history = [], answers = [] }: ChatInput, questionId: string): boolean {
  if (answers.length > 0) return false
  return history.some(({ parts }) =>
    parts.some(
      (part) =>
        part.type === 'prompt' &&
        part.id === questionId &&
        (part.prompt.state === 'cancelled' || part.prompt.state === 'withdrawn'),
    ),
  )
}

/** An answer as the agent reads it: words as text, the values of a form as data. A2A has no word for a refusal but words. */
function answerParts({ answer }: PromptReply): Part[] {
  switch (answer.type) {
    case 'value': {
      const { value } = answer
      const words = isJsonObject(value) && Object.keys(value).length === 1 ? value[REPLY_KEY] : value
      return [typeof words === 'string' ? { text: words } : { data: value, mediaType: 'application/json' }]
    }
    case 'decline':
      return [{ text: answer.reason ?? 'The user declines to answer.' }]
    case 'option':
      return [{ text: answer.optionId }]
    default:
      return []
  }
}

function toPart(file: NonNullable<ChatInput['files']>[number]): Part {
  const { id, data, name, mimeType }: Partial<Attachment> = typeof file === 'string' ? { id: file } : file
  const what: Part = {
    ...(name === undefined ? {} : { filename: name }),
    ...(mimeType === undefined ? {} : { mediaType: mimeType }),
  }
  if (data !== undefined) return { raw: data, ...what }
  if (id !== undefined && URL.canParse(id)) return { url: id, ...what }
  throw createA2AError({
    kind: 'protocol',
    code: 'invalid_request',
    severity: 'FATAL',
    message: `The file ${JSON.stringify(id)} has neither bytes nor an address: A2A carries files as base64 or by an absolute URL.`,
  })
}
