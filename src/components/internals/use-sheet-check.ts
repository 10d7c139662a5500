'use client'
import type { RefObject } from 'react'
import { useEffect } from 'react'
import { windowOf } from '../../base/node-page.ts'
import { warnDeveloper } from '../../base/ports/warn-developer.ts'

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

/** Sheets may come after the code that needs them. */
const WAIT_LIMIT_MS = 1000

/**
 * Development only: warns once when a part is on the page without its style sheet. `isThere` looks at the computed style of
 * the part.
 * @param sheet as it is imported, such as `capstan/styles.css`
 */
export function useSheetCheck(
  part: RefObject<Element | null>,
  sheet: string,
  isThere: (style: CSSStyleDeclaration) => boolean,
): void {
  useEffect(() => {
    try {
      if (process.env.NODE_ENV === 'development') return checkSheet(part, sheet, isThere)
    } catch {
      // A page without a bundler: nothing says that it is in development.
    }
    return undefined
  }, [part, sheet, isThere])
}

function checkSheet(
  part: RefObject<Element | null>,
  sheet: string,
  isThere: (style: CSSStyleDeclaration) => boolean,
): () => void {
  const timer = setTimeout(() => {
    const view = part.current && windowOf(part.current)
    if (!part.current || !view || isThere(view.getComputedStyle(part.current))) return
    warnDeveloper(
      `the style sheet is missing, so the components have no look. Add import '${sheet}' where your app starts.`,
    )
  }, WAIT_LIMIT_MS)
  return () => clearTimeout(timer)
}
