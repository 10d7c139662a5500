import { createAgentProxy } from 'capstan/server'
import { cookies } from 'next/headers'

/** The page's questions go on to the agent, with the key. Neither the key nor the agent's address comes back. */
const proxy = createAgentProxy({
  upstream: process.env.AGENT_URL ?? 'http://localhost:8000',
  headers: ({ user }) => ({ authorization: `Bearer ${process.env.AGENT_KEY}`, 'x-visitor': user ?? '' }),
  // The agent keeps conversations by visitor and id, and app/history.ts asks it for them.
  keepConversationIds: true,
  authorize: async () => (await cookies()).get('visitor')?.value ?? new Response(null, { status: 401 }),
})

export { proxy as GET, proxy as POST }
