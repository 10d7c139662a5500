'use client'
import type { RefObject } from 'react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Reading } from './reading-context.ts'

/** How near to the end still counts as the live edge, in CSS pixels. */
export const LIVE_EDGE = 48

const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

export interface Sticking {
  /** For the element that scrolls. */
  readonly view: RefObject<HTMLDivElement | null>
  /** For the element in it that grows. */
  readonly content: RefObject<HTMLDivElement | null>
  /** False while the reader is further up. */
  readonly atEnd: boolean
  /** Goes to the end and follows it again. */
  readonly toEnd: () => void
  readonly reading: Reading
}

/**
 * Follows the end of `view` as its `content` grows, as long as the reader is at the live edge.
 * Whoever scrolls up stays where they are: then only the browser's scroll anchoring is at work.
 */
export function useStickToEnd(): Sticking {
  const view = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  const following = useRef(true)

  const toEnd = useCallback(() => {
    following.current = true
    setAtEnd(true)
    const element = view.current
    if (element) element.scrollTop = element.scrollHeight
  }, [])

  useBrowserLayoutEffect(() => {
    const element = view.current
    const inner = content.current
    if (!element || !inner) return
    let lastTop = element.scrollTop
    const pin = (): void => {
      if (following.current) element.scrollTop = element.scrollHeight
    }
    const onScroll = (): void => {
      const top = element.scrollTop
      const left = element.scrollHeight - element.clientHeight - top
      // Content that grew since the last pin is no wish to leave: only a move upwards is.
      if (left <= LIVE_EDGE) following.current = true
      else if (top < lastTop) following.current = false
      lastTop = top
      setAtEnd(following.current)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    const sizes = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(pin)
    sizes?.observe(inner)
    sizes?.observe(element)
    pin()
    return () => {
      element.removeEventListener('scroll', onScroll)
      sizes?.disconnect()
    }
  }, [])

  const reading = useMemo<Reading>(() => ({ atEnd: () => following.current }), [])
  return { view, content, atEnd, toEnd, reading }
}
