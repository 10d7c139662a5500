'use client'
import type { RefObject } from 'react'
import { useEffect } from 'react'
import { windowOf } from '../../base/dom/node-page.ts'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'

/** Puts the number of prompts into the title of the page while the page is hidden. A title that the app sets meanwhile stays. */
export function useTitleMark(part: RefObject<HTMLElement | null>, count: number): void {
  const { title: withCount } = usePromptStrings().dock
  useEffect(() => {
    if (count === 0) return
    const page = titledPage(part.current)
    let marked: { readonly title: string; readonly before: string } | undefined
    const restore = (): void => {
      if (marked !== undefined && page.title === marked.title) page.title = marked.before
      marked = undefined
    }
    const update = (): void => {
      restore()
      if (page.visibilityState !== 'hidden') return
      const before = page.title
      page.title = withCount(count, before)
      marked = { title: page.title, before }
    }
    update()
    page.addEventListener('visibilitychange', update)
    return () => {
      page.removeEventListener('visibilitychange', update)
      restore()
    }
  }, [part, count, withCount])
}

/** The document whose title is on a tab or a window: that of an iframe is on none. */
function titledPage(part: HTMLElement | null): Document {
  const view = part && windowOf(part)
  return view && view === view.parent ? view.document : document
}
