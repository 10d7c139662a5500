import { createArcpRuntime, type ArcpRuntime } from '../../src/runtime/arcp-runtime.ts'

export const TOKEN = 'the-token-of-ada'

/** The runtime that is served over each transport: two tools, for one user. */
export function canonicalRuntime(): ArcpRuntime {
  return createArcpRuntime({
    auth: { bearer: (token) => (token === TOKEN ? 'ada' : undefined) },
    tools: {
      async *greet({ name }, { progress, principal }) {
        progress({ percent: 50 })
        yield `Hello ${String(name)}, `
        yield `says the runtime of ${String(principal)}`
        return { name }
      },
      ask: async (_given, { askHuman }) => (await askHuman({ prompt: 'Which?', schema: { type: 'number' } })).value,
    },
  })
}
