import type { ReactNode, RefObject } from 'react'
import { memo, useState } from 'react'
import type { InlineSegment, Paragraph } from '../tree/tree.ts'
import { ownDirection } from './direction-of.ts'
import { Segments } from './inline-view.tsx'
import { withLayout } from './long-blocks/load-long-block-layout.ts'
import type { TailProps } from './pieces.tsx'
import { createTextStretches } from './text-stretches.ts'
import { useBrowserLayoutEffect } from './foreign-changes/use-browser-layout-effect.ts'

interface ParagraphProps extends TailProps {
  readonly paragraph: Paragraph
  readonly element: RefObject<HTMLParagraphElement | null>
}

/**
 * A paragraph. Of a very long one that grows each further stretch is a box of its own, because a browser looks at every piece of a
 * line box for each new word; its first line is drawn over the last line of the stretch before. The elements stay when the paragraph
 * has ended, and are then running text again.
 */
export function ParagraphView({ paragraph, element, tail }: ParagraphProps): ReactNode {
  const [stretches] = useState(createTextStretches)
  const [first = [], ...further] = stretches(paragraph.segments)
  const grows = Boolean(tail) && further.length > 0
  useBrowserLayoutEffect(() => {
    const last = element.current?.lastElementChild
    // The last element is a stretch then.
    return grows && last ? withLayout(({ joinLines }) => joinLines(last as HTMLElement)) : undefined
  }, [element, grows, further.length])
  useBrowserLayoutEffect(() => {
    const paragraph = element.current
    return grows && paragraph ? withLayout(({ keepJoined }) => keepJoined(paragraph)) : undefined
  }, [element, grows])
  return (
    <p ref={element} dir={ownDirection(paragraph)} data-grows={grows ? '' : undefined}>
      <Words segments={first} ended={further.length > 0} />
      {further.map((segments, at) => (
        <Stretch
          key={segments[0]?.key}
          segments={segments}
          ended={at < further.length - 1}
          tail={at === further.length - 1 ? tail : undefined}
        />
      ))}
      {further.length === 0 && tail}
    </p>
  )
}

interface StretchProps extends TailProps {
  readonly segments: readonly InlineSegment[]
  /** Another stretch follows. */
  readonly ended: boolean
}

const Stretch = memo(function Stretch({ tail, ...words }: StretchProps): ReactNode {
  return (
    <span className="cs-md-stretch">
      <Words {...words} />
      {tail}
    </span>
  )
}, sameWords)

/** The blank at the end of a stretch is apart, so that it can be kept where a browser drops those at the ends of lines. */
const Words = memo(function Words({ segments, ended }: Omit<StretchProps, 'tail'>): ReactNode {
  const last = segments.at(-1)
  const words = last?.children.at(-1)
  const trimmed = ended &&
    last &&
    words?.type === 'text' && {
      ...last,
      children: [...last.children.slice(0, -1), { ...words, text: words.text.slice(0, -1) }],
    }
  return (
    <>
      <Segments segments={trimmed ? [...segments.slice(0, -1), trimmed] : segments} />
      {trimmed && <span className="cs-md-blank"> </span>}
    </>
  )
}, sameWords)

function sameWords(before: StretchProps, now: StretchProps): boolean {
  return (
    before.tail === now.tail &&
    before.ended === now.ended &&
    (before.segments === now.segments ||
      (before.segments.length === now.segments.length &&
        before.segments.every((segment, at) => segment === now.segments[at])))
  )
}
