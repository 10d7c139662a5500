'use client'
import type { ReactNode } from 'react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { rareSyntaxVersion, subscribeToRareSyntax } from '../inline/rare-syntax.ts'
import { footnoteCode, subscribeToFootnoteCode } from './footnotes/footnote-code.ts'
import { loadLongBlockLayout } from './long-blocks/load-long-block-layout.ts'
import { GrowingContext, MarkdownContext } from './markdown-context.ts'
import { createMarkdownReader } from './markdown-reader.ts'
import type { MarkdownRenderers } from './markdown-renderers.ts'
import { MarkdownView } from './markdown-view.tsx'
import type { MarkdownProps } from './markdown-props.ts'
import { englishMarkdownStrings } from './markdown-strings.ts'
import { UnplacedMarks } from './places.tsx'
import { useForeignChanges } from './foreign-changes/use-renewal.ts'

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
