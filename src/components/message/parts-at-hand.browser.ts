import type { PartComponents } from './part-components.ts'

/** None: a page fetches them with its first transcript. */
export const partsAtHand: PartComponents | undefined = undefined
