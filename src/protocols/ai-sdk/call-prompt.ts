import type { JsonSchema, Prompt } from '../../seam/prompt.ts'
import type { UiPart } from './messages.ts'
import { toolNameOf } from './messages.ts'
import { callId } from './message-parts.ts'

/** A tool without a function on the server: its output is given by the user, or by the app. */
export interface ClientTool {
  /** JSON Schema of the output, which the form asks for. @default any JSON */
  readonly output?: JsonSchema | undefined
  /** The question, as plain text. @default the title of the call, or the name of the tool */
  readonly message?: string | undefined
}

/** The one option that is consent. */
export const ALLOW = 'allow'
const DENY = 'deny'

interface Asking {
  readonly streamId: string
  readonly requestId: string
  readonly part: UiPart
  /** Index of the part in its message. */
  readonly index: number
}

export function promptIdOf(requestId: string, index: number): string {
  return `${requestId}/${callId(index)}`
}

/** The call waits for consent. */
export function approvalPrompt(asking: Asking): Prompt {
  const { part } = asking
  const reason = part.approval?.requestReason
  return {
    ...commonOf(asking),
    kind: 'approval',
    // Without a sentence of the agent the page asks in its own language, by the name of the tool.
    message: typeof reason === 'string' && reason !== '' ? reason : (part.title ?? ''),
    options: [
      { id: ALLOW, label: 'Allow', kind: 'allow-once' },
      { id: DENY, label: 'Deny', kind: 'reject-once' },
    ],
  }
}

/** The call waits for its output. */
export function outputPrompt(asking: Asking, tool: ClientTool | undefined): Prompt {
  const { part } = asking
  return {
    ...commonOf(asking),
    kind: 'form',
    message: tool?.message ?? part.title ?? toolNameOf(part),
    schema: tool?.output ?? {},
  }
}

function commonOf({ streamId, requestId, part, index }: Asking): Omit<Prompt, 'kind' | 'message'> {
  const name = toolNameOf(part)
  return {
    id: promptIdOf(requestId, index),
    streamId,
    // Only this page compares it, so the subject itself is the digest that binds an answer to it.
    subject: { toolCallId: callId(index), name, input: part.input, digest: JSON.stringify([name, part.input]) },
    onExpiry: 'unknown',
    group: requestId,
    answeredBy: 'next-run',
    state: 'open',
  }
}
