import type { RefObject } from 'react'
import { useReducer, useRef, useState } from 'react'
import { isElement, windowOf } from '../../../base/dom/node-page.ts'
import { useBrowserLayoutEffect } from './use-browser-layout-effect.ts'

// Browser translation, highlighters and extensions replace, split and wrap text nodes. React keeps writing into a text node after it
// has left the page, and fails to remove it. So the text of a message is observed: a block in which anybody else has changed text is
// created again before React changes it.

/** Elements that `useRenewal` creates again. */
const BLOCKS = 'p, h2, h3, h4, h5, h6, tr'

const changed = new WeakSet<Element>()

/** Only removed and changed text counts: components that React updates outside of a message's commits keep theirs in elements. */
function noteChanges(records: readonly MutationRecord[]): void {
  for (const { type, target, removedNodes } of records) {
    if (type === 'childList' && ![...removedNodes].some(({ nodeType }) => nodeType === 3)) continue
    const block = (isElement(target) ? target : target.parentElement)?.closest(BLOCKS)
    if (block) changed.add(block)
  }
}

interface Watch {
  /** Notes changes that are not delivered yet. */
  look(): void
  /** From now on changes are foreign. */
  observe(root: Element | null): void
}

function createWatch(): Watch {
  let observer: MutationObserver | undefined
  return {
    look: () => noteChanges(observer?.takeRecords() ?? []),
    observe(root) {
      const view = root && windowOf(root)
      if (!view) return
      observer ??= new view.MutationObserver(noteChanges)
      observer.takeRecords()
      observer.observe(root, { subtree: true, childList: true, characterData: true })
    },
  }
}

/** Observes the text of a message: what changes it between the commits of the calling component is foreign. */
export function useForeignChanges(): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null)
  const [watch] = useState(createWatch)
  watch.look()
  useBrowserLayoutEffect(() => watch.observe(root.current))
  return root
}

interface Renewal {
  readonly round: number
  readonly replaced: Element | null
}

const renew = ({ round, replaced }: Renewal, element: Element): Renewal => ({
  round: replaced === element ? round : round + 1,
  replaced: element,
})

/** For a component that is rendered whenever text of a block may change: the key with which the block is created again after a foreign change, and its ref. */
export function useRenewal<Block extends Element>(): readonly [key: number, block: RefObject<Block | null>] {
  const block = useRef<Block>(null)
  const [{ round, replaced }, dispatch] = useReducer(renew, { round: 0, replaced: null })
  const check = (): void => {
    const { current } = block
    if (current !== null && current !== replaced && changed.has(current)) dispatch(current)
  }
  // oxlint-disable-next-line react/refs -- what is rendered depends on what a script did to the element
  check()
  // Between a rendering and its commit.
  useBrowserLayoutEffect(check)
  return [round, block]
}
