import type { Agent } from 'capstan/server'

/** Repeats what the user says, and remembers what they said before. */
export const agent: Agent = async function* (_request, run) {
  const before = (await run.history()).findLast(({ role }) => role === 'user')
  yield `You said: ${run.text}`
  if (before !== undefined) yield `\n\nBefore that: ${before.text}`
}
