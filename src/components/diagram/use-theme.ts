import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

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

function themeOf(element: HTMLElement): string {
  const style = getComputedStyle(element)
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
    if (!element || typeof matchMedia === 'undefined') return undefined
    const look = (): void => setTheme(themeOf(element))
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
  return theme
}
