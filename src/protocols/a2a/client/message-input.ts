import type { JsonObject } from '../../../base/json-object.ts'
import { createA2AError } from '../errors.ts'
import { ValidationError } from '../../../base/format/validation-error.ts'
import { object, read } from '../../../base/format/shape.ts'
import { MESSAGE } from '../messages.ts'
import type { Message, Part } from '../messages.ts'

/** Your own message, as `sendMessage` takes it. */
export interface A2AMessageInput {
  readonly parts: readonly Part[]
  /** @default a new UUID */
  readonly messageId?: string | undefined
  /** Context to continue in, as the agent named it. Absent: the agent makes one. */
  readonly contextId?: string | undefined
  /** Task to continue with, which must exist. Absent: a new one. */
  readonly taskId?: string | undefined
  readonly referenceTaskIds?: readonly string[] | undefined
  readonly metadata?: JsonObject | undefined
}

/** What a part is; the rest describes it. */
const CONTENT = ['text', 'raw', 'url', 'data'] as const satisfies readonly (keyof Part)[]

/**
 * The user's message in the form in which it is sent.
 *
 * @param newId its id when it has none
 * @throws A2AError `invalid_request` when it is not a message of A2A
 */
export function toMessage(message: string | A2AMessageInput, newId: string): Message {
  try {
    const input = typeof message === 'string' ? { parts: [{ text: message }] } : object(message, 'message')
    const sent = read(MESSAGE, { ...input, messageId: input.messageId ?? newId, role: 'ROLE_USER' }, 'message')
    if (sent.messageId === '') throw new ValidationError('message.messageId must not be empty')
    if (sent.parts.length === 0) throw new ValidationError('message.parts must have at least one part')
    for (const [at, part] of sent.parts.entries())
      if (CONTENT.filter((key) => part[key] !== undefined).length !== 1)
        throw new ValidationError(`message.parts.${at} must have exactly one of ${CONTENT.join(', ')}`)
    return sent
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw createA2AError({
      kind: 'protocol',
      code: 'invalid_request',
      severity: 'FATAL',
      message: `The message was not sent: ${error.message}.`,
    })
  }
}
