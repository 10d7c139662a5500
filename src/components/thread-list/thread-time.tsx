'use client'
import type { ReactNode } from 'react'
import { useHydrated } from '../internals/use-hydrated.ts'

/** The time of day, for another day its date, for another year that too. Empty until the page lives, as a server does not know the reader's clock. */
export function ThreadTime({ at, lang }: { readonly at: number; readonly lang: string | undefined }): ReactNode {
  const hydrated = useHydrated()
  const date = new Date(at)
  return (
    <time className="cs-meta cs-figures" dateTime={date.toISOString()}>
      <bdi>{hydrated ? format(date, lang) : ''}</bdi>
    </time>
  )
}

function format(date: Date, lang: string | undefined): string {
  const now = new Date()
  if (date.toDateString() === now.toDateString())
    return date.toLocaleTimeString(lang, { hour: 'numeric', minute: '2-digit' })
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return date.toLocaleDateString(lang, { day: 'numeric', month: 'short', year })
}
