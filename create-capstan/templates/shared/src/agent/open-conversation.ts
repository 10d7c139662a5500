import { CapClient } from 'capstan'
import { type Agent, createAgentHandler } from 'capstan/server'

/** Begins a conversation with an agent, for tests: through the real handler and client, without a network. */
export function openConversation(agent: Agent): (text: string) => Promise<string> {
  const handler = createAgentHandler({ agent })
  const client = new CapClient({
    baseUrl: 'http://agent.test',
    fetch: async (url, init) => handler(new Request(url, init)),
  })
  const conversationId = crypto.randomUUID()
  return async (text) => {
    const pieces: string[] = []
    for await (const piece of client.chat(text, { conversationId })) pieces.push(piece)
    return pieces.join('')
  }
}
