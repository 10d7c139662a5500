import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

/** Half a screen of a phone: the picture is there before its place is. */
const MARGIN = '400px'

/** Whether an element has been near the view. It stays so. */
export function useNearView(ref: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || isNear) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, isNear])
  return isNear
}
