import type { KeyboardEvent } from 'react'

/** Keys that belong to an input method, not to us. Safari ends a composition before it sends the key, as 229. */
export function isComposing(event: KeyboardEvent): boolean {
  // `keyCode` is deprecated and the only thing that tells in Safari.
  // oxlint-disable-next-line typescript/no-deprecated
  return event.nativeEvent.isComposing || event.keyCode === 229
}
