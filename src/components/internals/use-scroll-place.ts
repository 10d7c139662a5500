'use client'
import type { RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'
import { createSizeObserver } from '../../base/node-page.ts'

/** Scroll position of a box in the inline direction: `none` when all of its content is in view, in both directions. */
export type ScrollPlace = 'none' | 'start' | 'middle' | 'end'

/**
 * Watches a box that may have more content than space: a stop for the keyboard only while there is something to scroll
 * to. `measure` belongs on `onScroll` where the place matters.
 *
 * @param isInline it scrolls in the inline direction only: what it clips in the other one is no content
 */
export function useScrollPlace<Box extends HTMLElement>(
  isInline = false,
): readonly [box: RefObject<Box | null>, place: ScrollPlace, measure: () => void] {
  const box = useRef<Box>(null)
  const [place, setPlace] = useState<ScrollPlace>('none')
  const measure = (): void => {
    if (box.current) setPlace(placeOf(box.current, isInline))
  }
  // After every render, because what is in the box changes with it; between them its size changes with the page around it.
  useEffect(() => {
    measure()
    if (!box.current) return
    const sizes = createSizeObserver(box.current, measure)
    sizes?.observe(box.current)
    return () => sizes?.disconnect()
  })
  return [box, place, measure]
}

function placeOf(
  { scrollLeft, scrollWidth, clientWidth, scrollHeight, clientHeight }: HTMLElement,
  isInline: boolean,
): ScrollPlace {
  const left = scrollWidth - clientWidth
  // From right to left the way is counted below zero. Zooming may cost a pixel.
  const gone = Math.abs(scrollLeft)
  if (left < 2 && (isInline || scrollHeight - clientHeight < 2)) return 'none'
  return gone < 2 ? 'start' : gone > left - 2 ? 'end' : 'middle'
}
