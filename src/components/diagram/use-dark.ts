import type { RefObject } from 'react'
import { useEffect, useState } from 'react'
import { isElement, rootsOf, windowOf } from '../../base/dom/node-page.ts'

/** What the sheet gives as the colour of the caret where the scheme is dark. */
const DARK_CARET = 'rgb(255, 255, 255)'

/** Whether an element is in the dark scheme. Changes with the system, and with the attributes of the page and of the theme around. */
export function useDark(ref: RefObject<HTMLElement | null>): boolean {
  const [isDark, setDark] = useState(false)
  useEffect(() => {
    const element = ref.current
    const view = element && windowOf(element)
    // No function in tests without a browser.
    if (!element || typeof view?.matchMedia !== 'function') return undefined
    const look = (): void => setDark(view.getComputedStyle(element).caretColor === DARK_CARET)
    look()
    const system = view.matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', look)
    const page = new view.MutationObserver(look)
    const { documentElement, body } = element.ownerDocument
    // The scheme is inherited by a shadow root from around its host.
    const themes = [element, ...rootsOf(element).map((root) => ('host' in root ? root.host : undefined))]
    for (const around of [
      documentElement,
      body,
      ...themes.map((from) => isElement(from) && from.closest('[data-theme]')),
    ])
      if (around) page.observe(around, { attributeFilter: ['class', 'style', 'data-theme'] })
    return () => {
      system.removeEventListener('change', look)
      page.disconnect()
    }
  }, [ref])
  return isDark
}
