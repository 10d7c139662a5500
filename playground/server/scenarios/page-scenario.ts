import type { A2AScenario, A2AScenarioId } from '../a2a/a2a-scenarios.ts'
import { a2aScenarioOf, a2aScenarios, isA2AScenarioId } from '../a2a/a2a-scenarios.ts'
import type { Scenario, ScenarioId } from './scenario-list.ts'
import { isScenarioId, scenarioOf, scenarios } from './scenario-list.ts'

// Imported by the page: nothing of node here.

/** Everything that a link of the page can name, over either protocol. */
export type PageScenarioId = ScenarioId | A2AScenarioId

/** A scenario as the page shows it. */
export type PageScenario = Omit<Scenario, 'group'> & { readonly group: Scenario['group'] | A2AScenario['group'] }

/** Every scenario of either protocol, in the order of the bench. */
export const pageScenarios: readonly (PageScenario & { readonly id: PageScenarioId })[] = [
  ...scenarios,
  ...a2aScenarios,
]

export function isPageScenarioId(value: unknown): value is PageScenarioId {
  return isScenarioId(value) || isA2AScenarioId(value)
}

/** The scenario of an id; undefined for none. */
export function pageScenarioOf(id: PageScenarioId | undefined): PageScenario | undefined {
  return isA2AScenarioId(id) ? a2aScenarioOf(id) : scenarioOf(id)
}
