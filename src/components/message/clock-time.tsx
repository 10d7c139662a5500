'use client'
import type { ReactNode } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { useHydrated } from '../internals/use-hydrated.ts'

/** Making a format takes as long as showing a whole message. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>()

function formatOf(lang: string | undefined): Intl.DateTimeFormat {
  const format = formats.get(lang) ?? new Intl.DateTimeFormat(lang, { hour: 'numeric', minute: '2-digit' })
  formats.set(lang, format)
  return format
}

/** The time of day. Empty until hydration: the server does not know the user's time zone. */
export function ClockTime({ at }: { /** Epoch milliseconds. */ readonly at: number }): ReactNode {
  const { lang } = useDictionary().language
  const hydrated = useHydrated()
  const date = new Date(at)
  return (
    <time className="cs-meta" dateTime={date.toISOString()}>
      {hydrated ? formatOf(lang).format(date) : ''}
    </time>
  )
}
