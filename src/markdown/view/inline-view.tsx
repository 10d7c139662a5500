import type { ReactNode } from 'react'
import { Fragment, memo, useContext } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { LEAVING, hostOf, safeLink, safeMedia } from '../../base/safe-url.ts'
import { whereItLeads } from './where-it-leads.ts'
import type { Inline, InlineSegment } from '../tree/tree.ts'
import { FootnoteMark, withPendingNotes } from './footnote-mark.tsx'
import { MarkdownContext } from './markdown-context.ts'
import { hasPlaces, withMarks, withoutPlaces } from './places.tsx'
import { showCode } from '../../base/text.ts'
import { inlineText } from './inline-text.ts'

/** Pieces of a block's text: a settled one is the same object for good and renders once. */
export function Segments({ segments }: { readonly segments: readonly InlineSegment[] }): ReactNode {
  return segments.map((segment) => <Segment key={segment.key} segment={segment} />)
}

const Segment = memo(function Segment({ segment }: { readonly segment: InlineSegment }): ReactNode {
  return <Inlines inlines={segment.children} />
})

interface WithinProps {
  /**
   * Whether it is inside a link, where only text is rendered: a control there would be activated together with the
   * link.
   */
  readonly linked?: boolean | undefined
}

/** Text only grows at its end, so the place of a piece is its name. */
function Inlines({ inlines, linked }: WithinProps & { readonly inlines: readonly Inline[] }): ReactNode {
  const { math: Formula } = useContext(MarkdownContext).renderers
  /* oxlint-disable react/no-array-index-key -- text only grows at its end, so the place of a piece is its name */
  return inlines.map((inline, index) =>
    inline.type !== 'math' ? (
      <InlineNode key={index} inline={inline} linked={linked} />
    ) : Formula && !hasPlaces(inline.text) ? (
      <Formula key={index} text={inline.text} display={inline.display && !linked} />
    ) : (
      // One in which something is missing is shown as it was written.
      <Fragment key={index}>{withMarks(inline.source, capMarks, linked)}</Fragment>
    ),
  )
  /* oxlint-enable react/no-array-index-key */
}

interface InlineNodeProps extends WithinProps {
  readonly inline: Exclude<Inline, { readonly type: 'math' }>
}

const TAGS = { emphasis: 'em', strong: 'strong', strikethrough: 'del' } as const

function InlineNode({ inline, linked }: InlineNodeProps): ReactNode {
  switch (inline.type) {
    case 'text':
      return linked ? withMarks(inline.text, capMarks, true) : <Words text={inline.text} />
    case 'html':
      // What an agent writes as a tag is text here, whatever is in it.
      return withMarks(inline.text, capMarks, linked)
    case 'softbreak':
      return '\n'
    case 'break':
      return <br />
    case 'code':
      return (
        <code dir="ltr" translate="no">
          {withMarks(inline.text, showCode, linked)}
        </code>
      )
    case 'emphasis':
    case 'strong':
    case 'strikethrough': {
      const Tag = TAGS[inline.type]
      return (
        <Tag>
          <Inlines inlines={inline.children} linked={linked} />
        </Tag>
      )
    }
    case 'sub':
    case 'sup':
    case 'kbd': {
      const Tag = inline.type
      return (
        <Tag data-text="">
          <Inlines inlines={inline.children} linked={linked} />
        </Tag>
      )
    }
    case 'link':
      // An incomplete address is not rendered as a link, and links are not nested.
      if (linked || (inline.bare && hasPlaces(inlineText(inline.children))))
        return <Inlines inlines={inline.children} linked={linked} />
      return (
        <Link url={inline.url} title={titleAttribute(inline)} words={inlineText(inline.children)}>
          <Inlines inlines={inline.children} linked={safeLink(inline.url) !== undefined} />
        </Link>
      )
    case 'image':
      return <Image url={inline.url} alt={withoutPlaces(inline.alt)} title={titleAttribute(inline)} linked={linked} />
    case 'footnote-reference':
      return linked ? `[^${inline.label}]` : <FootnoteMark label={inline.label} />
  }
}

function titleAttribute({ title }: { readonly title?: string }): string | undefined {
  return title === undefined ? undefined : withoutPlaces(title)
}

function Words({ text }: { readonly text: string }): ReactNode {
  const { text: Text } = useContext(MarkdownContext).renderers
  const show = (words: string, key = 0): ReactNode => (Text ? <Text key={key} text={words} /> : capMarks(words))
  return withMarks(text, (words) => withPendingNotes(words, show))
}

interface LinkProps {
  readonly url: string
  readonly title: string | undefined
  readonly words: string
  readonly children: ReactNode
}

/** A link to where a link may lead, else its words. Never to a place on this page or relative to it: no agent knows the page. */
function Link({ url, title, words, children }: LinkProps): ReactNode {
  const { link: Own } = useContext(MarkdownContext).renderers
  const safe = safeLink(url)
  if (!safe) return children
  const host = whereItLeads(safe, title === undefined ? words : `${words} ${title}`, url)
  const told =
    host === undefined ? (
      children
    ) : (
      <>
        {children}
        {' ('}
        <bdi>{host}</bdi>
        {')'}
      </>
    )
  if (Own) {
    return (
      <Own href={safe.href} title={title}>
        {told}
      </Own>
    )
  }
  return (
    // `dir="auto"` isolates the text direction of the link from the text around it.
    <a href={safe.href} title={title} dir="auto" {...LEAVING}>
      {told}
    </a>
  )
}

interface ImageProps extends WithinProps {
  readonly url: string
  readonly alt: string
  readonly title: string | undefined
}

/** A picture is words and the name of its host, until a renderer of the app makes more of it: loading it would tell that host who reads. */
function Image({ url, alt, title, linked }: ImageProps): ReactNode {
  const { renderers, strings } = useContext(MarkdownContext)
  const safe = safeMedia(url)
  if (!safe) return capMarks(alt)
  const { image: Own } = renderers
  const said = capMarks(alt) || strings.imageFrom(hostOf(safe))
  if (linked) return said
  if (Own) return <Own src={safe.href} alt={alt} title={title} />
  return (
    <Link url={url} title={title} words={alt}>
      {said}
    </Link>
  )
}
