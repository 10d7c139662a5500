import { AgentError, errorInit, isAgentError } from '../base/agent-error.ts'
import type { ChatMessage, MessagePart } from '../state/conversation/message.ts'

/**
 * Messages whose errors are plain objects: what crosses from a server to a page, or rests in a store, as JSON. A message
 * without errors stays the same object. Causes are left out: they are of the machine they arose on.
 */
export function withPlainErrors(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  // Plain in the cache only: withLiveErrors is applied before anybody reads them.
  return mapErrors(messages, (error) =>
    isAgentError(error) ? ({ ...errorInit(error), cause: undefined } as AgentError) : error,
  )
}

/** The same with AgentErrors again. */
export function withLiveErrors(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  // What is no AgentError here was made plain by withPlainErrors, or by JSON on its way.
  return mapErrors(messages, (error) => (isAgentError(error) ? error : new AgentError(error)))
}

function mapErrors(
  messages: readonly ChatMessage[],
  change: (error: AgentError) => AgentError,
): readonly ChatMessage[] {
  return messages.map((message) => {
    const warns = message.parts.some((part) => part.type === 'warning')
    if (message.error === undefined && !warns) return message
    const parts = message.parts.map((part): MessagePart =>
      part.type === 'warning' ? { ...part, error: change(part.error) } : part,
    )
    return { ...message, parts, ...(message.error && { error: change(message.error) }) }
  })
}
