import 'server-only'
import type { ChatMessage } from 'capstan'
import { cookies } from 'next/headers'

/** What was said in a conversation, as the agent keeps it. Throws when the agent does not answer. */
export async function historyOf(conversation: string): Promise<readonly ChatMessage[]> {
  const visitor = (await cookies()).get('visitor')?.value
  if (visitor === undefined) return []
  const headers = { authorization: `Bearer ${process.env.AGENT_KEY}`, 'x-visitor': visitor }
  // The key is for this agent and for nobody that a redirect names.
  const init = { headers, cache: 'no-store', redirect: 'error' } as const
  const response = await fetch(`${process.env.AGENT_URL}/history/${conversation}`, init)
  if (!response.ok) throw new Error(`The agent refused the history with ${response.status}.`)
  return (await response.json()) as readonly ChatMessage[]
}
