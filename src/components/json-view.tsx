'use client'
import type { ReactNode } from 'react'
import { memo } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { useScrollPlace } from './internals/use-scroll-place.ts'
import { jsonText } from './json-text.ts'

/** A value as JSON, cut at a length a page can carry, with the length of the rest. Scrolls in itself. */
export const JsonView = memo(function JsonView({ value }: { readonly value: unknown }): ReactNode {
  const strings = useDictionary().data
  const [box, place] = useScrollPlace<HTMLPreElement>()
  const { text, rest } = jsonText(value)
  return (
    <>
      <pre ref={box} className="cs-json" tabIndex={place === 'none' ? undefined : 0}>
        {capMarks(text)}
      </pre>
      {rest > 0 && <p className="cs-meta">{strings.moreCharacters(rest)}</p>}
    </>
  )
})
