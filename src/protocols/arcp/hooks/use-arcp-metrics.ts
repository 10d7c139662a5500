'use client'
import { useMemo } from 'react'
import type { ArcpMetricSum } from '../fold/arcp-state.ts'
import type { Usage } from '../../../seam/usage.ts'
import type { ArcpHookOptions } from './arcp-provider.tsx'
import { useArcpClient } from './arcp-provider.tsx'
import { useArcpView } from './use-arcp-view.ts'

/** What {@link useArcpMetrics} returns. */
export interface ArcpMetricsResult {
  /** All measurements, added up by name and dimensions, in the order in which they came first. */
  readonly metrics: readonly ArcpMetricSum[]
  /** Tokens and cost of all jobs together. Undefined: none were measured. What one job took is in its `usage`. */
  readonly usage: Usage | undefined
}

/**
 * What the runtime measured in this session, by the reserved names of the RFC (section 17.3.1) and by others.
 *
 * @example
 * ```tsx
 * import { useArcpMetrics } from 'capstan/react'
 * import { CostMeter } from 'capstan/components'
 *
 * export function Spent() {
 *   const { usage } = useArcpMetrics()
 *   return usage && <CostMeter usage={usage} limit={5} />
 * }
 * ```
 */
export function useArcpMetrics({ client: given }: ArcpHookOptions = {}): ArcpMetricsResult {
  const client = useArcpClient(given, 'useArcpMetrics')
  const sums = useArcpView(client, ({ state }) => state.metrics)
  return useMemo(() => {
    const metrics = [...sums.values()]
    return { metrics, usage: usageOf(metrics) }
  }, [sums])
}

function usageOf(metrics: readonly ArcpMetricSum[]): Usage | undefined {
  const total = (name: string, kind?: string): number | undefined => {
    const own = metrics.filter((metric) => metric.name === name && (kind === undefined || metric.dims?.kind === kind))
    return own.length === 0 ? undefined : own.reduce((sum, metric) => sum + metric.sum, 0)
  }
  const without = metrics.filter(({ name, dims }) => name === 'tokens.used' && dims?.kind === undefined)
  const usage: Usage = {
    inputTokens: total('tokens.used', 'input'),
    outputTokens: total('tokens.used', 'output'),
    totalTokens: without.length === 0 ? undefined : without.reduce((sum, metric) => sum + metric.sum, 0),
    cost: total('cost.usd'),
  }
  return Object.values(usage).some((value) => value !== undefined) ? usage : undefined
}
