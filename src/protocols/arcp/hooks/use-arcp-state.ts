'use client'
import type { ArcpState } from '../fold/arcp-state.ts'
import type { ArcpHookOptions } from './arcp-provider.tsx'
import { useArcpClient } from './arcp-provider.tsx'
import { useArcpView } from './use-arcp-view.ts'

export interface ArcpStateOptions<Value> extends ArcpHookOptions {
  /** When two selected values count as the same. @default `Object.is` */
  readonly isEqual?: ((left: Value, right: Value) => boolean) | undefined
}

/**
 * A slice of the state that the runtime has reported. The component renders again only when the selected value changes, and at most once a
 * frame. What has not changed in the state is the same object.
 *
 * @example
 * ```tsx
 * import { useArcpState } from 'capstan/react'
 *
 * export function Running() {
 *   const count = useArcpState(({ jobs }) => [...jobs.values()].filter(({ endedAt }) => endedAt === undefined).length)
 *   return <output>{count} jobs are running</output>
 * }
 * ```
 */
export function useArcpState<Value>(
  selector: (state: ArcpState) => Value,
  { client: given, isEqual }: ArcpStateOptions<Value> = {},
): Value {
  const client = useArcpClient(given, 'useArcpState')
  return useArcpView(client, ({ state }) => selector(state), isEqual)
}
