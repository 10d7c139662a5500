'use client'
import type { RefObject } from 'react'
import { useEffect } from 'react'
import { nodeEnvironment } from '../../base/development.ts'

/** Sheets may come after the code that needs them. */
const PATIENCE_MS = 1000

const told = new Set<string>()

/**
 * Development only: warns once when a part stands on the page without its sheet. `isThere` looks at the computed style of
 * the part.
 * @param sheet as it is imported, such as `capstan/styles.css`
 */
export function useSheetCheck(part: RefObject<Element | null>, sheet: string, isThere: (style: CSSStyleDeclaration) => boolean): void {
  useEffect(() => {
    if (nodeEnvironment() !== 'development' || told.has(sheet)) return undefined
    const timer = setTimeout(() => {
      if (part.current === null || told.has(sheet) || isThere(getComputedStyle(part.current))) return
      told.add(sheet)
      // oxlint-disable-next-line no-console -- development only, for the app's developer; onError would call it an error of the page
      console.warn(`capstan: the style sheet is missing, so the components have no look. Add import '${sheet}' where your app starts.`)
    }, PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [part, sheet, isThere])
}
