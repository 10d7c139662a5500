import type { A2AScenario, A2AScenarioId } from '../a2a/a2a-scenarios.ts'
import { a2aScenarioOf, a2aScenarios, isA2AScenarioId } from '../a2a/a2a-scenarios.ts'
import type { ArcpScenario, ArcpScenarioId } from '../arcp/arcp-scenarios.ts'
import { arcpScenarioOf, arcpScenarios, isArcpScenarioId } from '../arcp/arcp-scenarios.ts'
import type { Scenario, ScenarioId } from './scenario-list.ts'
import { isScenarioId, scenarioOf, scenarios } from './scenario-list.ts'

// Imported by the page: nothing of node here.

/** Everything that a link of the page can name, over any protocol. */
export type PageScenarioId = ScenarioId | A2AScenarioId | ArcpScenarioId

/** A scenario as the page shows it. */
export type PageScenario = Omit<Scenario, 'group'> & {
  readonly group: Scenario['group'] | A2AScenario['group'] | ArcpScenario['group']
}

/** Every scenario of each protocol, in the order of the bench. */
export const pageScenarios: readonly (PageScenario & { readonly id: PageScenarioId })[] = [
  ...scenarios,
  ...a2aScenarios,
  ...arcpScenarios,
]

export function isPageScenarioId(value: unknown): value is PageScenarioId {
  return isScenarioId(value) || isA2AScenarioId(value) || isArcpScenarioId(value)
}

/** The scenario of an id; undefined for none. */
export function pageScenarioOf(id: PageScenarioId | undefined): PageScenario | undefined {
  if (isArcpScenarioId(id)) return arcpScenarioOf(id)
  return isA2AScenarioId(id) ? a2aScenarioOf(id) : scenarioOf(id)
}

/** The protocol that a scenario is spoken over. */
export function protocolOf(id: PageScenarioId | undefined): 'CAP' | 'A2A' | 'ARCP' {
  if (isArcpScenarioId(id)) return 'ARCP'
  return isA2AScenarioId(id) ? 'A2A' : 'CAP'
}
