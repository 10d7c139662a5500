'use client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { DataBlock } from '../data-block/data-block.tsx'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import { ShowMore } from '../internals/show-more.tsx'
import { MarkdownBlock } from '../markdown-block/markdown-block.tsx'
import type { TaskStrings } from '../../strings/tasks.ts'
import type { artifactViewAttributes } from './artifact-view-attributes.ts'

type WindowAttributes = AttributesOf<typeof artifactViewAttributes, 'window'>

/** What an artifact holds. */
export interface ArtifactContent {
  readonly text?: string | undefined
  readonly data?: unknown
  readonly mimeType?: string | undefined
}

/** Characters that are laid out at a time: a browser takes some ten milliseconds for them. */
const MOST_CHARACTERS = 50_000

/** Whether it is something that can be shown, and not only saved. */
export function hasPreview({ text, data }: ArtifactContent): boolean {
  return text !== undefined || data !== undefined
}

function isMarkdown(mimeType: string | undefined): boolean {
  return /^text\/(?:x-)?markdown\b/.test(mimeType ?? '')
}

/** All of an artifact: markdown as rich text, other text as it is, data as JSON. Nothing in it is run, and nothing is loaded unasked. */
export function WholeContent({
  content: { text, data, mimeType },
  strings,
}: {
  readonly content: ArtifactContent
  readonly strings: TaskStrings
}): ReactNode {
  const [limit, setLimit] = useState(MOST_CHARACTERS)
  if (text === undefined)
    return data === undefined ? <p className="cs-meta">{strings.artifact.noPreview}</p> : <DataBlock data={data} />
  const left = text.length - limit
  return (
    <>
      {isMarkdown(mimeType) && left <= 0 ? (
        <MarkdownBlock content={text} />
      ) : (
        <pre className="cs-artifact-text" dir="auto">
          {capMarks(text.slice(0, limit))}
        </pre>
      )}
      {left > 0 && <ShowMore left={left} onShow={() => setLimit(limit + MOST_CHARACTERS)} />}
    </>
  )
}

/** Enough for the window at any width. */
const WINDOW_CHARACTERS = 4_000

/** A window of fixed height: the beginning of what is whole, the end of what is being written. */
export function ContentWindow({
  content: { text, data },
  isWriting,
}: {
  readonly content: ArtifactContent
  readonly isWriting: boolean
}): ReactNode {
  const all = text ?? JSON.stringify(data, undefined, 2) ?? ''
  return (
    <pre
      className="cs-artifact-text cs-artifact-window"
      dir="auto"
      data-end={(isWriting ? '' : undefined) satisfies WindowAttributes['data-end']}
      aria-hidden="true"
    >
      <span>
        <span>{capMarks(isWriting ? all.slice(-WINDOW_CHARACTERS) : all.slice(0, WINDOW_CHARACTERS))}</span>
        {isWriting && <span className="cs-caret" />}
      </span>
    </pre>
  )
}
