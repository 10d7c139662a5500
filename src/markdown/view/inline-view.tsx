import type { ReactNode } from 'react'
import { memo, useContext } from 'react'
import { LEAVING, hostOf, safeLink, safeMedia } from '../../base/safe-url.ts'
import type { Inline, InlineSegment } from '../tree.ts'
import { findFormulas } from './find-formulas.ts'
import { FootnoteMark } from './footnote-mark.tsx'
import { MarkdownContext } from './markdown-context.ts'

/** Pieces of a block's text: a settled one is the same object for good and renders once. */
export function Segments({ segments }: { readonly segments: readonly InlineSegment[] }): ReactNode {
  return segments.map((segment) => <Segment key={segment.key} segment={segment} />)
}

const Segment = memo(function Segment({ segment }: { readonly segment: InlineSegment }): ReactNode {
  return <Inlines inlines={segment.children} />
})

/** Text only grows at its end, so the place of a piece is its name. */
function Inlines({ inlines }: { readonly inlines: readonly Inline[] }): ReactNode {
  const { math: Formula } = useContext(MarkdownContext).renderers
  const pieces = Formula ? findFormulas(inlines) : inlines
  // oxlint-disable-next-line react/no-array-index-key -- see above
  return pieces.map((inline, index) => (inline.type === 'formula' ? Formula && <Formula key={index} text={inline.text} display={false} /> : <InlineNode key={index} inline={inline} />))
}

function InlineNode({ inline }: { readonly inline: Inline }): ReactNode {
  switch (inline.type) {
    case 'text':
      return <Words text={inline.text} />
    case 'html':
      // What an agent writes as a tag is text here, whatever stands in it.
      return inline.text
    case 'softbreak':
      return '\n'
    case 'break':
      return <br />
    case 'code':
      return (
        <code dir="ltr" translate="no">
          {inline.text}
        </code>
      )
    case 'emphasis':
      return (
        <em>
          <Inlines inlines={inline.children} />
        </em>
      )
    case 'strong':
      return (
        <strong>
          <Inlines inlines={inline.children} />
        </strong>
      )
    case 'strikethrough':
      return (
        <del>
          <Inlines inlines={inline.children} />
        </del>
      )
    case 'link':
      return (
        <Link url={inline.url} title={inline.title}>
          <Inlines inlines={inline.children} />
        </Link>
      )
    case 'image':
      return <Image url={inline.url} alt={inline.alt} title={inline.title} />
    case 'footnote-reference':
      return <FootnoteMark label={inline.label} />
  }
}

function Words({ text }: { readonly text: string }): ReactNode {
  const { text: Text } = useContext(MarkdownContext).renderers
  return Text ? <Text text={text} /> : text
}

interface LinkProps {
  readonly url: string
  readonly title: string | undefined
  readonly children: ReactNode
}

/** A link to where a link may lead, else its words. Never to a place on this page or relative to it: no agent knows the page. */
function Link({ url, title, children }: LinkProps): ReactNode {
  const { link: Own } = useContext(MarkdownContext).renderers
  const safe = safeLink(url)
  if (!safe) return children
  if (Own) {
    return (
      <Own href={safe.href} title={title}>
        {children}
      </Own>
    )
  }
  return (
    <a href={safe.href} title={title} {...LEAVING}>
      {children}
    </a>
  )
}

interface ImageProps {
  readonly url: string
  readonly alt: string
  readonly title: string | undefined
}

/** A picture is words and the name of its host, until a renderer of the app makes more of it: loading it would tell that host who reads. */
function Image({ url, alt, title }: ImageProps): ReactNode {
  const { renderers, words } = useContext(MarkdownContext)
  const safe = safeMedia(url)
  if (!safe) return alt
  const { image: Own } = renderers
  if (Own) return <Own src={safe.href} alt={alt} title={title} />
  return (
    <a className="cs-md-image" href={safe.href} title={title} {...LEAVING}>
      {alt || words.imageFrom(hostOf(safe))}
    </a>
  )
}
