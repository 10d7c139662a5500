// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { useArcpMetrics } from '../../../../src/protocols/arcp/hooks/use-arcp-state.ts'
import { createArcpPage } from '../../../support/arcp-page.tsx'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

afterEach(cleanup)

it('adds up tokens and cost by their reserved names, and keeps the others', async () => {
  const page = createArcpPage()
  const { result } = renderHook(() => useArcpMetrics(), { wrapper: page.wrapper })
  expect(result.current).toEqual({ metrics: [], usage: undefined })
  const [first, second] = [await page.begin(), await page.begin()]
  first.emit('metric', { name: 'tokens.used', value: 10, unit: 'tokens', dims: { kind: 'input' } })
  second.emit('metric', { name: 'tokens.used', value: 5, unit: 'tokens', dims: { kind: 'input' } })
  second.emit('metric', { name: 'tokens.used', value: 7, unit: 'tokens', dims: { kind: 'output' } })
  first.emit('metric', { name: 'cost.usd', value: 0.25, unit: 'usd' })
  first.emit('metric', { name: 'latency.ms', value: 120, unit: 'ms', dims: { phase: 'exec' } })
  await page.rest()
  expect(result.current.usage).toEqual({ inputTokens: 15, outputTokens: 7, totalTokens: undefined, cost: 0.25 })
  expect(result.current.metrics.map(({ name, sum }) => [name, sum])).toEqual([
    ['tokens.used', 15],
    ['tokens.used', 7],
    ['cost.usd', 0.25],
    ['latency.ms', 120],
  ])
  page.client.close()
})
