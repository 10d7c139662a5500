import type { RefObject } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'

/** The width of an element in whole pixels, as long as it is on the page; 0 before it is. */
export function useWidth<Kind extends Element>(): [RefObject<Kind | null>, number] {
  const element = useRef<Kind>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  return [element, width]
}
