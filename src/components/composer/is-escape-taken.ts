import { hostsOf, rootsOf } from '../../base/node-page.ts'

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
