import type { AgentPart, ToolCallStatus } from '../../seam/agent-event.ts'
import type { AgUiMessage, AgUiToolCall } from './messages.ts'
import { contentText } from './messages.ts'

/** What JSON text says; text that is none as it is. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The part of a call. @param status that of a call without a result */
export function callPart(
  { function: { name, arguments: input } }: AgUiToolCall,
  result: AgUiMessage | undefined,
  status: ToolCallStatus,
  isDenied: boolean,
): AgentPart {
  if (status === 'preparing') return { type: 'tool-call', name, status, partialInput: input }
  const call = { type: 'tool-call', name, status, ...(input !== '' && { input: jsonOr(input) }) } as const
  if (result === undefined) return isDenied ? { ...call, status: 'denied' } : call
  const { content, error } = result
  const text = contentText(content)
  if (isDenied) return { ...call, status: 'denied', output: outputOf(text) }
  return error === undefined
    ? { ...call, status: 'complete', output: outputOf(text) }
    : { ...call, status: 'failed', output: error }
}

/** A result is text; where that is the JSON of an object or a list, it is that. */
function outputOf(text: string): unknown {
  return /^\s*[{[]/.test(text) ? jsonOr(text) : text
}
