import type { ConversationMessage } from './conversation-message.ts'

/** A message as models take it: the AI SDK, OpenAI, Anthropic and LangChain alike. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/**
 * What a model is told: the messages before, and what the user says now, as plain text. An answer without text is left out, and
 * what follows it is joined with what was before, because some models want the roles to alternate.
 *
 * @param run the run, or anything with its history and text
 *
 * @example
 * ```ts
 * import { chatMessages, createAgentHandler } from 'capstan/server'
 *
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const messages = await chatMessages(run)
 *     yield `A model would be told ${messages.length} messages.`
 *   },
 * })
 * ```
 */
export async function chatMessages(run: {
  history(): Promise<readonly ConversationMessage[]>
  readonly text: string
}): Promise<ModelMessage[]> {
  const said = [...(await run.history()), { role: 'user' as const, text: run.text }]
  const messages: ModelMessage[] = []
  for (const { role, text: content } of said) {
    if (content === '') continue
    const last = messages.at(-1)
    if (last?.role === role) messages[messages.length - 1] = { role, content: `${last.content}\n\n${content}` }
    else messages.push({ role, content })
  }
  return messages
}
