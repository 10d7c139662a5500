import type { PartComponents } from './part-components.tsx'

/** None: a page fetches them with its first transcript. */
export const partsAtHand: PartComponents | undefined = undefined

export async function fetchParts(): Promise<PartComponents> {
  return (await import('./part-components.tsx')).partComponents
}
