import type { Scenario } from '../scenarios/scenario-list.ts'

// Imported by the page and by the server: nothing of node here.

/** What can be tried with the agent that speaks A2A. Its id goes into the metadata of each message, and after the `#` of its link. */
export interface A2AScenario extends Omit<Scenario, 'group' | 'history' | 'queued'> {
  readonly group: 'A2A'
}

/** Every scenario over A2A, in the order of the bench. */
// oxfmt-ignore
export const a2aScenarios = [
  { id: 'a2a', group: 'A2A', title: 'Ask the docs over A2A', outcome: 'task', see: 'The same docs behind an agent of the official A2A SDK. Break the connection while it answers: the task goes on, and the page follows it again.' },
  { id: 'a2a-ask', group: 'A2A', title: 'Input required', outcome: 'same task', prompt: 'tabs', see: 'One word fits several sections, so the task asks back. The answer goes to the same task.' },
  { id: 'a2a-file', group: 'A2A', title: 'A file made', outcome: 'artifact', prompt: 'Summarize the page about tabs', see: 'The task asks before it writes. Allow it, and the summary comes back as a file of its own.' },
  { id: 'a2a-attach', group: 'A2A', title: 'A file read', outcome: 'bytes in', prompt: 'How old does an oxbow lake become?', attaches: 'river-notes', see: 'A file went along as bytes, and the task answers from it alone. Attach your own: press +, paste or drop.' },
  { id: 'a2a-sign-in', group: 'A2A', title: 'Sign-in required', outcome: 'goes on alone', prompt: 'What does the authority measure?', see: 'The task waits for you to sign in elsewhere and then goes on by itself. No password passes through the chat.' },
  { id: 'a2a-long', group: 'A2A', title: 'Long task', outcome: 'cancel', prompt: 'Write a diary of a river.', see: 'Press Stop: the task itself is cancelled, not only the page. Or drop the connection again and again.' },
  { id: 'a2a-fails', group: 'A2A', title: 'Task failed', outcome: 'error', prompt: 'Read the gauges of the authority.', see: 'The task fails half-way and says why. What it has made stays.' },
] as const satisfies readonly A2AScenario[]

export type A2AScenarioId = (typeof a2aScenarios)[number]['id']

const BY_ID: ReadonlyMap<unknown, A2AScenario> = new Map(a2aScenarios.map((scenario) => [scenario.id, scenario]))

export function isA2AScenarioId(value: unknown): value is A2AScenarioId {
  return BY_ID.has(value)
}

/** The scenario of an id; undefined for none. */
export function a2aScenarioOf(id: unknown): A2AScenario | undefined {
  return BY_ID.get(id)
}
