import type { KeyboardEvent } from 'react'
import { hostsOf, rootsOf } from '../../base/node-page.ts'

/** Keys that belong to an input method, not to us. Safari ends a composition before it sends the key, as 229. */
export function isComposing(event: KeyboardEvent): boolean {
  // `keyCode` is deprecated and the only thing that tells in Safari.
  // oxlint-disable-next-line typescript/no-deprecated
  return event.nativeEvent.isComposing || event.keyCode === 229
}

const OPEN = '[popover]:not([popover=manual]):popover-open, dialog:modal'

/**
 * Whether something open above `part` closes by Escape: a popover or a dialog in the top layer that `part` is not in. It may be in
 * any shadow root of the page that is open or around `part`.
 */
export function isEscapeTaken(part: Element): boolean {
  const hosts = hostsOf(part)
  return rootsOf(part).some((root) => openIn(root).some((above) => !hosts.some((inner) => above.contains(inner))))
}

function openIn(root: ParentNode): readonly Element[] {
  const shadows = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])
  return [...root.querySelectorAll(OPEN), ...shadows.flatMap(openIn)]
}
