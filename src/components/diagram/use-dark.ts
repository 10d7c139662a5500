import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

/** What the sheet gives as the colour of the caret where the scheme is dark. */
const DARK_CARET = 'rgb(255, 255, 255)'

/** Whether an element is in the dark scheme. Changes with the system, and with the attributes of the page and of the theme around. */
export function useDark(ref: RefObject<HTMLElement | null>): boolean {
  const [isDark, setDark] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || typeof matchMedia === 'undefined') return undefined
    const look = (): void => setDark(getComputedStyle(element).caretColor === DARK_CARET)
    look()
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', look)
    const page = new MutationObserver(look)
    for (const around of [document.documentElement, document.body, element.closest('[data-theme]')])
      if (around) page.observe(around, { attributeFilter: ['class', 'style', 'data-theme'] })
    return () => {
      system.removeEventListener('change', look)
      page.disconnect()
    }
  }, [ref])
  return isDark
}
