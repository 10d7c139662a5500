'use client'
import type { ReactNode } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { useHydrated } from '../use-hydrated.ts'

/** The reader's time of day; empty until the page lives, as a server does not know the reader's clock. */
export function ClockTime({ at }: { /** Epoch milliseconds. */ readonly at: number }): ReactNode {
  const { lang } = useDictionary().language
  const hydrated = useHydrated()
  const date = new Date(at)
  return (
    <time className="cs-meta" dateTime={date.toISOString()}>
      {hydrated ? date.toLocaleTimeString(lang, { hour: '2-digit', minute: '2-digit' }) : ''}
    </time>
  )
}
