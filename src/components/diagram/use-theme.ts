import type { RefObject } from 'react'
import { useEffect, useState } from 'react'

/** Where the sheet puts the colours of the theme, none of which is seen there: ink, lines, nodes, their edges, other grounds, the page. */
const PLACES = ['caretColor', 'columnRuleColor', 'floodColor', 'lightingColor', 'outlineColor', 'stopColor'] as const

/** Channels of a colour that the sheet has mixed in sRGB, each from 0 to 255. Undefined: there is no sheet. */
function channelsOf(color: string): readonly number[] | undefined {
  const found = /^color\(srgb (\S+) (\S+) (\S+)\)$/.exec(color)?.slice(1).map(Number)
  return found?.map((part) => Math.round(Math.min(Math.max(part, 0), 1) * 255))
}

function hexOf(channels: readonly number[]): string {
  return `#${channels.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function themeOf(element: HTMLElement): string {
  const style = getComputedStyle(element)
  const colors = PLACES.map((place) => channelsOf(style[place]))
  const [ink] = colors
  const scheme = ink !== undefined && ink.reduce((sum, part) => sum + part, 0) > 382 ? 'dark' : 'light'
  return colors.reduce<string>((theme, color) => (color ? `${theme} ${hexOf(color)}` : theme), scheme)
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
