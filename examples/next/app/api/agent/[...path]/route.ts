import { createAgentProxy } from 'capstan/server'
import { cookies } from 'next/headers'

/** Forwards the page's requests to the agent, with the key. Neither the key nor the agent's address comes back. The agent keeps conversations by visitor. */
const proxy = createAgentProxy({
  upstream: process.env.AGENT_URL ?? 'http://localhost:8000',
  headers: ({ user }) => ({ authorization: `Bearer ${process.env.AGENT_KEY}`, 'x-visitor': user ?? '' }),
  keepConversationIds: true,
  authorize: async () => (await cookies()).get('visitor')?.value ?? new Response(null, { status: 401 }),
})

export { proxy as GET, proxy as POST }
