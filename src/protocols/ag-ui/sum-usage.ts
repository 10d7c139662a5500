import type { Usage } from '../usage.ts'

/** What the models of a run took together. */
export function addUsage(list: readonly Usage[] | undefined): Usage | undefined {
  if (list === undefined || list.length === 0) return undefined
  const sum = (name: 'inputTokens' | 'outputTokens' | 'totalTokens'): number | undefined => {
    const counts = list.flatMap((usage) => usage[name] ?? [])
    return counts.length === 0 ? undefined : counts.reduce((total, count) => total + count, 0)
  }
  return { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens'), totalTokens: sum('totalTokens') }
}
