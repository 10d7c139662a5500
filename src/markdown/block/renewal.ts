import { rareSyntax } from '../inline/rare-syntax.ts'
import type { BlockState } from './frame.ts'
import type { Renewed } from './leaf-inlines.ts'

type RenewLeaves = (state: BlockState, renewed: readonly Renewed[]) => BlockState

let renewLeaves: RenewLeaves | undefined

/** What puts leaves in their places that were parsed again. Undefined before it is here: the whole text is read again then. */
export function renewal(): RenewLeaves | undefined {
  return rareSyntax() && renewLeaves
}

/** To be added before the rest of the rare syntax. */
export function addRenewal(code: RenewLeaves): void {
  renewLeaves = code
}
