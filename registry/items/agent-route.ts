import { createAgentHandler } from 'capstan/server'

/** The agent of this app. Replace the echo with a model: capstan/server/models has helpers for four SDKs. */
const handler = createAgentHandler({
  agent: async function* (_request, run) {
    const before = (await run.history()).findLast(({ role }) => role === 'user')
    yield `You said: ${run.text}`
    if (before !== undefined) yield `\n\nBefore that: ${before.text}`
  },
})

export { handler as DELETE, handler as GET, handler as PATCH, handler as POST }
