'use client'
import { useEffect } from 'react'
import { usePromptStrings } from '../language-pack/prompt-strings-context.tsx'

/** Puts the number of prompts into the title of the page while the page is hidden. A title that the app sets meanwhile stays. */
export function useTitleMark(count: number): void {
  const { title: withCount } = usePromptStrings().dock
  useEffect(() => {
    if (count === 0) return
    let marked: { readonly title: string; readonly before: string } | undefined
    const restore = (): void => {
      if (marked !== undefined && document.title === marked.title) document.title = marked.before
      marked = undefined
    }
    const update = (): void => {
      restore()
      if (document.visibilityState !== 'hidden') return
      const before = document.title
      document.title = withCount(count, before)
      marked = { title: document.title, before }
    }
    update()
    document.addEventListener('visibilitychange', update)
    return () => {
      document.removeEventListener('visibilitychange', update)
      restore()
    }
  }, [count, withCount])
}
