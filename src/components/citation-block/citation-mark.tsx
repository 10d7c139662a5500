'use client'
import type { MouseEvent, ReactNode } from 'react'
import { Fragment } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { sourceElementId } from './source-id.ts'

export interface CitationMarkProps {
  /** The numbers as they stood in the text: `1`, or `1` and `, 3`. */
  readonly numbers: readonly string[]
  /** Element id prefix of the list the marks point into. */
  readonly prefix: string
}

/** Leads to the source without touching the address bar: the page may route by its hash. */
function showSource(event: MouseEvent<HTMLAnchorElement>, id: string): void {
  const source = event.currentTarget.ownerDocument.getElementById(id)
  if (!source) return
  event.preventDefault()
  source.scrollIntoView({ block: 'nearest' })
  source.focus({ preventScroll: true })
}

/** The number of a source inside the text. Copies as it was written: `[1]`. */
export function CitationMark({ numbers, prefix }: CitationMarkProps): ReactNode {
  const words = useDictionary().citations
  return (
    <>
      <span className="cs-hidden">[</span>
      {numbers.map((written) => {
        const [, before = '', figure = ''] = /^(\D*)(\d+)$/.exec(written) ?? []
        const number = Number(figure)
        const id = sourceElementId(prefix, number)
        return (
          <Fragment key={written}>
            {before && <span className="cs-hidden">{before}</span>}
            <a className="cs-cite" href={`#${id}`} aria-label={words.source(number)} onClick={(event) => showSource(event, id)}>
              {figure}
            </a>
          </Fragment>
        )
      })}
      <span className="cs-hidden">]</span>
    </>
  )
}
