import type { RefObject } from 'react'
import { useRef, useState } from 'react'
import { windowOf } from '../../base/node-page.ts'
import { useBrowserLayoutEffect } from './use-browser-layout-effect.ts'

// Browser translation, highlighters and extensions replace, split and wrap text nodes. React keeps writing into a text node after it
// has left the page, and fails to remove it. So the text of a message is observed: a block in which anybody else has changed text is
// created again before React changes it.

/** Elements that `useRenewal` creates again. */
const BLOCKS = 'p,h2,h3,h4,h5,h6,tr'

const changed = new WeakSet<Element>()

/** Only removed and changed text counts: components that React updates outside of a message's commits keep theirs in elements. */
function noteChanges(records: readonly MutationRecord[]): void {
  for (const { target, removedNodes } of records) {
    if (![target, ...removedNodes].some(isText)) continue
    // What is not a text has children here.
    const block = (isText(target) ? target.parentElement : (target as Element))?.closest(BLOCKS)
    if (block) changed.add(block)
  }
}

const isText = ({ nodeType }: Node): boolean => nodeType === 3

/** Observes the text of a message: what changes it between the commits of the calling component is foreign. */
export function useForeignChanges(): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null)
  const observer = useRef<MutationObserver>(undefined)
  // oxlint-disable-next-line react/refs -- changes that are not delivered yet
  noteChanges(observer.current?.takeRecords() ?? [])
  useBrowserLayoutEffect(() => {
    const { current } = root
    const view = current && windowOf(current)
    if (!view) return
    observer.current ??= new view.MutationObserver(noteChanges)
    // Those of this commit.
    observer.current.takeRecords()
    observer.current.observe(current, { subtree: true, childList: true, characterData: true })
  })
  return root
}

/** For a component that is rendered whenever text of a block may change: the key with which the block is created again after a foreign change, and its ref. */
export function useRenewal<Block extends Element>(): readonly [key: number, block: RefObject<Block | null>] {
  const block = useRef<Block>(null)
  const [[round, replaced], renew] = useState<readonly [round: number, replaced?: Element]>([0])
  const check = (): void => {
    const { current } = block
    if (current && current !== replaced && changed.has(current)) renew([round + 1, current])
  }
  // oxlint-disable-next-line react/refs -- what is rendered depends on what a script did to the element
  check()
  // Between a rendering and its commit.
  useBrowserLayoutEffect(check)
  return [round, block]
}
