'use client'
import type { ReactNode } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { useHydrated } from '../internals/use-hydrated.ts'

/** The time of day, for another day its date, for another year that too. Empty until the page lives, as a server does not know the reader's clock. */
export function ThreadTime({ at, lang }: { readonly at: number; readonly lang: string | undefined }): ReactNode {
  const { language } = useDictionary()
  const date = new Date(at)
  return (
    <time className="cs-meta cs-figures" dateTime={date.toISOString()}>
      <bdi>{useHydrated() && format(date, lang ?? language.lang)}</bdi>
    </time>
  )
}

function format(date: Date, lang: string | undefined): string {
  const now = new Date()
  const isToday = date.toDateString() === now.toDateString()
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return date.toLocaleString(
    lang,
    isToday ? { hour: 'numeric', minute: '2-digit' } : { day: 'numeric', month: 'short', year },
  )
}
