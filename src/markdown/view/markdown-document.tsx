'use client'

import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { rareSyntaxVersion, subscribeToRareSyntax } from '../inline/rare-syntax.ts'
import { footnoteCode, subscribeToFootnoteCode, type FootnoteCode } from './footnote-code.ts'
import { loadLongBlockLayout } from './load-long-block-layout.ts'
import {
  GrowingContext,
  MarkdownContext,
  FootnoteContext,
  type MarkdownRenderers,
  type MarkdownProps,
  englishMarkdownStrings,
} from './markdown-props.ts'
import { createMarkdownReader, type ParsedMarkdown } from './markdown-reader.ts'
import { UnplacedMarks } from './places.tsx'
import { useForeignChanges } from './use-renewal.ts'
import { Blocks } from './block-view.tsx'
import { RenewableRun } from './renewable-run.tsx'

const NONE: MarkdownRenderers = {}
const firstVersion = (): number => 0
/** Text that grew although it is not `live` counts as complete when nothing was added for this long. */
const SETTLED_AFTER_MS = 500

/** Shows markdown while it grows, with the syntax that is known: text with some that was not is read again. */
export function MarkdownDocument({
  text,
  live = false,
  tail,
  renderers = NONE,
  strings = englishMarkdownStrings,
  className,
  ...rest
}: MarkdownProps): ReactNode {
  const root = useForeignChanges()
  const settings = useMemo(() => ({ renderers, strings }), [renderers, strings])
  const syntax = useSyncExternalStore(subscribeToRareSyntax, rareSyntaxVersion, firstVersion)
  const math = renderers.math?.syntax
  const fresh = () => ({ reader: createMarkdownReader({ math, flavor: 'chat' }), syntax, math })
  const [current, setReader] = useState(fresh)
  const { reader } = current
  // A text with syntax that was not known before is read again from its start.
  if (current.syntax !== syntax || current.math !== math) setReader(fresh())
  const [settled, setSettled] = useState<string>()
  const notes = useSyncExternalStore(subscribeToFootnoteCode, footnoteCode, footnoteCode)
  const reading = reader.read(text, live ? 'live' : settled === text ? 'settled' : 'complete', notes?.number)
  const { isGrowing } = reading
  // They are there before the connection is lost.
  useEffect(() => void loadLongBlockLayout().catch(() => {}), [])
  useEffect(() => {
    if (!isGrowing) return undefined
    const timer = setTimeout(() => setSettled(text), SETTLED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isGrowing, text])
  return (
    <div {...rest} ref={root} className={className === undefined ? 'cs-md' : `cs-md ${className}`}>
      <MarkdownContext.Provider value={settings}>
        <GrowingContext.Provider value={live || isGrowing}>
          <MarkdownView reading={reading} notes={notes} tail={tail} />
        </GrowingContext.Provider>
        <UnplacedMarks {...reading} />
      </MarkdownContext.Provider>
    </div>
  )
}

interface MarkdownViewProps {
  readonly reading: ParsedMarkdown
  /** Absent: notes are not shown. */
  readonly notes?: FootnoteCode | undefined
  /** What is after the last letter while the message grows: the caret. */
  readonly tail?: ReactNode
}

/** A message's tree on the page: what is the same object as before renders nothing. */
function MarkdownView({ reading: { root, numbers }, notes, tail }: MarkdownViewProps): ReactNode {
  return (
    <FootnoteContext.Provider value={numbers}>
      <Blocks chunks={root.children} group={RenewableRun} tail={tail} />
      {root.children.length === 0 && tail}
      {notes && <notes.List footnotes={root.footnotes} />}
    </FootnoteContext.Provider>
  )
}
