import type { Scenario } from '../scenarios/scenario-list.ts'

// Imported by the page and by the server: nothing of node here.

/** What can be tried with the runtime that speaks ARCP. */
export interface ArcpScenario extends Omit<Scenario, 'group' | 'history' | 'queued' | 'prompt' | 'attaches'> {
  readonly group: 'ARCP'
}

/** Every scenario over ARCP, in the order of the bench. */
// oxfmt-ignore
export const arcpScenarios = [
  { id: 'arcp', group: 'ARCP', title: 'Minimal session', outcome: 'handshake', see: 'Connect, and the session is accepted. Every job, chat and subscription of this page shares its one socket.' },
  { id: 'arcp-progress', group: 'ARCP', title: 'Tool with progress', outcome: 'job card', see: 'A job with progress, a log, tokens and cost. Drop the connection: the session is resumed, and nothing is missing.' },
  { id: 'arcp-input', group: 'ARCP', title: 'Human input', outcome: 'form, choice', see: 'The job asks in mid-run. Open this page in another tab and answer there, reload, or drop the connection.' },
  { id: 'arcp-permission', group: 'ARCP', title: 'Permission challenge', outcome: 'lease', see: 'Allow it, and the lease counts down. Extend it, or revoke it: the job stops writing.' },
  { id: 'arcp-observer', group: 'ARCP', title: 'Observer subscription', outcome: 'backfill', see: 'An observer with a session of its own follows a job that it did not begin: first what was missed, then what is new.' },
  { id: 'arcp-relay', group: 'ARCP', title: 'Relayed human in the loop', outcome: 'two sessions', see: 'The observer sees the question through its subscription. The answer is relayed to the session that was asked.' },
] as const satisfies readonly ArcpScenario[]

export type ArcpScenarioId = (typeof arcpScenarios)[number]['id']

const BY_ID: ReadonlyMap<unknown, ArcpScenario> = new Map(arcpScenarios.map((scenario) => [scenario.id, scenario]))

export function isArcpScenarioId(value: unknown): value is ArcpScenarioId {
  return BY_ID.has(value)
}

/** The scenario of an id; undefined for none. */
export function arcpScenarioOf(id: unknown): ArcpScenario | undefined {
  return BY_ID.get(id)
}

/** Where the runtime listens for WebSockets. */
export const ARCP_ADDRESS = '/arcp'

/** Where its sockets are cut. */
export const ARCP_CONTROL = '/__arcp'

/** Whose sessions the runtime accepts: in an app, a token that the page gets for its user from its server. */
export const ARCP_TOKEN = 'token-of-this-user'
