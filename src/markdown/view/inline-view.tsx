import { type ReactNode, Fragment, memo, useContext, type MouseEvent } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { LEAVING, hostOf, safeLink, safeMedia } from '../../base/safe-url.ts'
import type { Inline, InlineSegment } from '../inline/tree.ts'
import { MarkdownContext, FootnoteContext, GrowingContext } from './markdown-props.ts'
import { hasPlaces, withMarks, withoutPlaces } from './places.tsx'
import { showCode } from '../../base/text.ts'

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

/** Goes to an element of the same message. Without ids, which could meet those of the page, and without the page's address, which is the app's. */
export function goToNote({ currentTarget }: MouseEvent, selector: string): void {
  const element = currentTarget.closest('.cs-md')?.querySelector<HTMLElement>(selector)
  element?.scrollIntoView({ block: 'nearest' })
  element?.focus({ preventScroll: true })
}

/** The raised number that leads to a footnote. */
function FootnoteMark({ label }: { readonly label: string }): ReactNode {
  const { strings } = useContext(MarkdownContext)
  const number = useContext(FootnoteContext).get(label)
  if (number === undefined) return <PendingMark label={label} />
  return (
    <sup>
      <button
        type="button"
        className="cs-md-mark"
        data-mark={number}
        aria-label={strings.footnote(number)}
        onClick={(event) => goToNote(event, `[data-note="${number}"]`)}
      >
        {number}
      </button>
    </sup>
  )
}

/** A label has no blanks. */
const REFERENCE = /\[\^([^\s[\]]{1,80})\]/

/**
 * Text that may name notes of which nothing is known: most notes are at the end of a message.
 *
 * @param show shows what is between them
 */
function withPendingNotes(text: string, show: (text: string, key?: number) => ReactNode): ReactNode {
  if (!REFERENCE.test(text)) return show(text)
  return text.split(REFERENCE).map((stretch, index) =>
    index % 2 === 0 ? (
      show(stretch, index)
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- text grows at its end, so no stretch changes its index
      <PendingMark key={index} label={stretch} />
    ),
  )
}

/** A space as wide as a figure. */
const FIGURE = '\u2007'

/**
 * While the note may still come, an empty mark as wide as its number will be: notes are numbered as they are named, and most labels are
 * that number. Then the text that was written.
 */
function PendingMark({ label }: { readonly label: string }): ReactNode {
  if (!useContext(GrowingContext)) return <span>{`[^${label}]`}</span>
  return (
    <sup>
      <span className="cs-md-mark" data-pending="">
        {/^\d{1,3}$/.test(label) ? label : FIGURE}
      </span>
    </sup>
  )
}

/** The words of a stretch of text. A picture without words is its address, since its host is shown in their place. */
export function inlineText(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) =>
      'children' in inline
        ? inlineText(inline.children)
        : 'text' in inline
          ? inline.text
          : inline.type === 'image'
            ? inline.alt || inline.url
            : ' ',
    )
    .join('')
}

/** In UTF-16 code units. Longer words are not examined: their link always shows its host, so that examining costs a bounded time. */
const LONGEST = 500

/** Characters that are not seen. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const INVISIBLE = /[\u0001-\u0008\u000E-\u001F\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** These turn words around: what is read is not what is written. */
const REVERSED = /[\u202D\u202E]/

/** Characters that look like a dot, beside those that NFKC makes one: two Syriac, one Lisu, one Vai, and the zeros of Arabic. */
const DOTS = /[\u0701\u0702\uA4F8\uA60E\u0660\u06F0]|[。｡](?=[!-~])|(?<=[!-~])[。｡]/g

/** A dot set apart by brackets or blanks, as nobody writes within a sentence, or a dot of any height before an ending that is no English word. */
const APART = /\s*[([]\.[)\]]\s*|\s+\.\s+|\s*[.·•∙⋅‧・]\s*(?=(?:com|org|gov|edu|io|info)(?![\p{L}\p{N}]))/giu

/** Endings of files that nobody can register as an ending of hosts. */
const FILE =
  /^(?:[cm]?[jt]s|[jt]sx|json|html?|xml|s?css|csv|txt|log|ya?ml|toml|lock|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|go|rb|kt|php|cpp|cs|java|swift|sql|exe|gz|vue|env|ipynb)$/i

/** Endings of files that are endings of hosts as well. */
const FILE_OR_HOST = /\.(?:md|py|rs|sh)$/

/** A name in capitals, such as `README.md`, is a file. */
const CAPITALS = /^[A-Z_-]+\.[a-z]+$/

/** What can end a host: letters, at least two. Figures end none, and one letter ends none. */
const ENDING = /[^.@]\.(xn--[\w-]+|\p{L}[\p{L}\p{M}]+)(?![\p{L}\p{M}\p{N}.])/gu

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/

/** Behind a name of which this is a part, an ending of files does not make a file: `bank.com.py`. */
const WITHIN = /\.(?:com?|net|org)\./i

function readsLikeHost(name: string, inFolder: boolean): boolean {
  if (IPV4.test(name)) return true
  if (FILE_OR_HOST.test(name) && (inFolder || CAPITALS.test(name))) return false
  return [...name.matchAll(ENDING)].some(([, ending = '']) => !FILE.test(ending) || WITHIN.test(name))
}

/** Whether words without blanks name a host, an address or a mailbox other than `own`. What follows a host is its path and names nothing. */
function namesAnother(token: string, own: string): boolean {
  const [, explicit, rest = ''] = /^[^\p{L}\p{N}[]*(https?:\/\/)?(.*)$/iu.exec(token) ?? []
  const names = rest.split(/[/\\?#]/).map((name) => name.replace(/[^\p{L}\p{M}\p{N}\]]+$/u, ''))
  for (const [index, name] of names.entries()) {
    const named =
      (index === 0 && (explicit !== undefined || /^www\./i.test(name)) && name !== '') ||
      readsLikeHost(name, index > 0 && names[index - 1] !== '')
    const same = name.toLowerCase().replace(/^mailto:|^www\.|:(?:80|443)$/g, '') === own
    if (named && !same) return true
    if (named) return false
  }
  return false
}

/** The address of a link as it is shown: its host, or every mailbox that a message would go to. */
function shownAddress(url: URL): string {
  const copies =
    url.protocol === 'mailto:'
      ? [...url.searchParams].flatMap(([name, value]) => (/^(?:to|b?cc)$/i.test(name) ? [value] : []))
      : []
  return [hostOf(url), ...copies].join(', ')
}

/**
 * The host a link leads to, where its words could be read as another one: they name a host, an address or a mailbox that is not
 * the link's own, with whatever characters. Undefined where they name none, or exactly the link's own.
 *
 * @param written - The address as the author wrote it. One that hides an IPv4 address (`http://2130706433`) always shows its host.
 */
export function whereItLeads(url: URL, words: string, written = ''): string | undefined {
  const shown = shownAddress(url)
  const own = shown.toLowerCase().replace(/\.$/, '')
  const hidden = IPV4.test(url.hostname) && written !== '' && !written.includes(url.hostname)
  if (hidden || words.length > LONGEST || REVERSED.test(words)) return shown
  const read = words.normalize('NFKC').replace(INVISIBLE, '').replace(DOTS, '.').replace(APART, '.')
  return read.split(/[\s\u2800"'<>(),;|“”„«»]+/).some((token) => namesAnother(token, own)) ? shown : undefined
}
