'use client'
import type { RefObject } from 'react'
import { useLayoutEffect, useRef } from 'react'
import { rootsOf, windowOf } from '../../base/dom/node-page.ts'

/** A press elsewhere, a key, and anything else that opens over the page: another card, a menu, a dialog. */
const HEARD = ['pointerdown', 'keydown', 'beforetoggle', 'cs-card']

/**
 * Puts a card into the top layer for as long as it is mounted, where the style sheet places it below its mark.
 * It asks to be closed by Escape, by a press elsewhere, and when something else opens: there is one in a page.
 */
export function useOpenCard(onClose: () => void): RefObject<HTMLSpanElement | null> {
  const ref = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const card = ref.current
    const whole = card?.parentElement
    if (!card || !whole) return
    const hear = (event: Event): void => {
      const escape = 'key' in event && event.key === 'Escape'
      if ('key' in event ? !escape : event.composedPath().includes(whole)) return
      if (escape) {
        // Stops the event here, because Escape also stops the answer.
        event.preventDefault()
        event.stopPropagation()
        if (whole.querySelector(':focus')) whole.querySelector('button')?.focus()
      }
      onClose()
    }
    // Dispatched before the card is shown, so that the previous card closes in the same frame.
    card.dispatchEvent(new Event('cs-card', { bubbles: true, composed: true }))
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    // Outside of a shadow root an event does not tell where inside it happened: a listener inside decides about it.
    let inside: readonly Node[] = []
    for (const root of rootsOf(card)) {
      const inner = inside
      const listen = (event: Event): void => {
        if (!event.composedPath().some((node) => inner.includes(node as Node))) hear(event)
      }
      for (const type of HEARD) root.addEventListener(type, listen, options)
      if ('host' in root) inside = [root, root.host as Node]
    }
    // In the next frame: the focus may come from a popover that is closing, and two popovers cannot change at the same
    // time.
    const view = windowOf(card)
    const frame = view?.requestAnimationFrame(() => card.showPopover?.())
    return () => {
      if (frame !== undefined) view?.cancelAnimationFrame(frame)
      listening.abort()
    }
  }, [onClose])
  return ref
}
