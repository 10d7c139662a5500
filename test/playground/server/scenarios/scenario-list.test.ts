import { describe, expect, it } from 'vitest'
import { isScenarioId, scenarios } from '../../../../playground/server/scenarios/scenario-list.ts'

describe('a scenario', () => {
  it('says what to look at, in a sentence', () => {
    for (const { see } of scenarios) expect(see).toMatch(/^[A-Z].{20,160}\.$/)
    expect(isScenarioId('constructor')).toBe(false)
  })
})
