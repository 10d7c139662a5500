import type { RefObject } from 'react'
import { useEffect, useState } from 'react'
import { windowOf } from '../../base/dom/node-page.ts'

/** Half a screen of a phone, so that the picture is drawn before the reader gets there. */
const MARGIN = '400px'

/** Whether an element has been near the view. It stays so. */
export function useNearView(ref: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const element = ref.current
    // Where nobody can tell, as in a test without a browser, it never is: the source stays.
    const view: Partial<NonNullable<Document['defaultView']>> | null = element && windowOf(element)
    if (!element || isNear || !view?.IntersectionObserver) return undefined
    const observer = new view.IntersectionObserver(
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
