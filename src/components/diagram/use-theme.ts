import type { RefObject } from 'react'
import { useEffect, useState } from 'react'
import { isElement, rootsOf, windowOf } from '../../base/dom/node-page.ts'

/** Where the sheet puts the colours of the theme, none of which is seen there: ink, lines, nodes, their edges, other grounds, the page. */
const PLACES = ['caretColor', 'columnRuleColor', 'floodColor', 'lightingColor', 'outlineColor', 'stopColor'] as const

/** A colour that the sheet has mixed in sRGB, in hexadecimal figures. Empty: there is no sheet. */
function hexOf(color: string): string {
  if (!color.startsWith('color(srgb')) return ''
  return color.replaceAll(/\D*(\d[\d.e-]*)\D*/g, (_, part: string) =>
    Math.min(Math.round(+part * 255), 255)
      .toString(16)
      .padStart(2, '0'),
  )
}

function themeOf(element: HTMLElement, view: Window): string {
  const style = view.getComputedStyle(element)
  const colors = PLACES.map((place) => hexOf(style[place]))
  // Ink that has much green is on a dark ground.
  const scheme = colors.join('').slice(2) > '8' ? 'dark' : 'light'
  return colors.includes('') ? scheme : [scheme, ...colors].join(' #')
}

/**
 * The scheme and the colours of the theme around an element, as the frame of a diagram reads them: "dark #e5e8ea …". Changes with the
 * system, and with the attributes of the page and of the theme around.
 */
export function useTheme(ref: RefObject<HTMLElement | null>): string {
  const [theme, setTheme] = useState('light')
  useEffect(() => {
    const element = ref.current
    const view = element && windowOf(element)
    // No function in tests without a browser.
    if (!element || typeof view?.matchMedia !== 'function') return undefined
    const look = (): void => setTheme(themeOf(element, view))
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
  return theme
}
