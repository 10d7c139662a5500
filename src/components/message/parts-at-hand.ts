import type { PartComponents } from './part-components.tsx'
import { partComponents } from './part-components.tsx'

/**
 * The components of parts that are here without being fetched: all, so that what a server writes is whole. Bundlers put
 * parts-at-hand.browser in place of this module when they build for a browser (`browser` of package.json).
 */
export const partsAtHand: PartComponents | undefined = partComponents

/** Nothing is left to fetch. */
export async function fetchParts(): Promise<PartComponents> {
  return partComponents
}
