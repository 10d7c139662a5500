'use client'
import type { RefObject } from 'react'
import { useEffect } from 'react'
import { windowOf } from '../../base/node-page.ts'
import { warnDeveloper } from '../../base/warn-developer.ts'

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

/** Sheets may come after the code that needs them. */
const WAIT_LIMIT_MS = 1000

/** Development only: warns once when a part is on a page without the style sheet, whose tokens hold for the whole page. */
export function useSheetCheck(part: RefObject<Element | null>): void {
  useEffect(() => {
    try {
      if (process.env.NODE_ENV === 'development') return checkSheet(part)
    } catch {
      // A page without a bundler: nothing says that it is in development.
    }
    return undefined
  }, [part])
}

function checkSheet(part: RefObject<Element | null>): () => void {
  const timer = setTimeout(() => {
    const view = part.current && windowOf(part.current)
    if (!part.current || !view || view.getComputedStyle(part.current).getPropertyValue('--cs-ink') !== '') return
    warnDeveloper(
      "the style sheet is missing, so the components have no look. Add import 'capstan/styles.css' where your app starts.",
    )
  }, WAIT_LIMIT_MS)
  return () => clearTimeout(timer)
}
