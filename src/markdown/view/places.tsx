import type { ReactNode } from 'react'
import { Fragment, createContext, memo, useContext } from 'react'
import type { Chunk, Chunks, CodeLine, MarkdownRoot } from '../inline/tree.ts'

// A mark that is inside of a text is one code unit of it while the text is read: a control character that no text needs, and
// that no address in brackets may hold, so that half an address is not a link.
/* oxlint-disable no-control-regex -- these are what is looked for */
const PLACES = /([\u000E-\u001A])/
const ALL_PLACES = /[\u000E-\u001A]/g
/* oxlint-enable no-control-regex */
const FIRST = 0x0e

/** How many marks one text can hold. */
export const MOST_MARKS = 13

/** The code unit that stands for a mark, by its index. */
export function placeholderOf(index: number): string {
  return String.fromCharCode(FIRST + index)
}

export function hasPlaces(text: string): boolean {
  return PLACES.test(text)
}

export function withoutPlaces(text: string): string {
  return hasPlaces(text) ? text.replace(ALL_PLACES, '') : text
}

/** What is at the places of a text. The same object while nothing in it changes. */
export interface Marks {
  readonly count: number
  /** @param linked It is inside of a link, where nothing can be pressed. */
  show(index: number, linked: boolean): ReactNode
}

export const MarksContext = createContext<Marks | undefined>(undefined)

/** Components for code that show `lines` with marks in them. Others are given them without, and the marks follow the block. */
export const showsMarks = new WeakSet<object>()

/** Text with the marks in it. One without places, which is nearly all there is, is what `show` makes of it. */
export function withMarks(text: string, show: (words: string) => ReactNode = String, linked = false): ReactNode {
  return hasPlaces(text) ? <Marked text={text} show={show} linked={linked} /> : show(text)
}

interface MarkedProps {
  readonly text: string
  readonly show: (words: string) => ReactNode
  readonly linked: boolean
}

function Marked({ text, show, linked }: MarkedProps): ReactNode {
  const marks = useContext(MarksContext)
  if (!marks) return show(text)
  return text.split(PLACES).map((piece, at) => (
    // Text grows at its end: no piece changes its place.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {at % 2 === 0 ? piece !== '' && <span>{show(piece)}</span> : marks.show(piece.charCodeAt(0) - FIRST, linked)}
    </Fragment>
  ))
}

/**
 * Marks whose place is in text that is not displayed, such as a link title, the language of a fence or a definition.
 */
export const UnplacedMarks = memo(function UnplacedMarks({
  root,
  numbers,
}: {
  readonly root: MarkdownRoot
  readonly numbers: ReadonlyMap<string, number>
}): ReactNode {
  const marks = useContext(MarksContext)
  if (!marks) return null
  const placed =
    placesIn(root.children) +
    root.footnotes.map((footnote) => (numbers.has(footnote.label) ? placesIn(footnote) : '')).join('')
  const left = Array.from({ length: marks.count }, (_, index) => index).filter(
    (index) => !placed.includes(placeholderOf(index)),
  )
  return (
    left.length > 0 && (
      <p>
        {left.map((index) => (
          <Fragment key={index}>{marks.show(index, false)}</Fragment>
        ))}
      </p>
    )
  )
})

const known = new WeakMap<object, string>()

const cleaned = new WeakMap<Chunk<CodeLine>, Chunk<CodeLine>>()

/** Lines for a component that knows of no marks. A piece that is the same object as before stays so. */
export function linesWithoutMarks(lines: Chunks<CodeLine>): Chunks<CodeLine> {
  return lines.map((chunk) => {
    if (placesIn(chunk) === '') return chunk
    const clean = cleaned.get(chunk) ?? {
      ...chunk,
      items: chunk.items.map((line) => ({ ...line, text: withoutPlaces(line.text) })),
    }
    cleaned.set(chunk, clean)
    return clean
  })
}

/** The places in what a stretch of the tree shows as text. What is the same object as before is not read again. */
export function placesIn(node: object): string {
  let places = known.get(node)
  if (places === undefined) {
    places = ''
    for (const [name, value] of Object.entries(node) as [string, unknown][]) {
      if (typeof value === 'string') places += name === 'text' ? (value.match(ALL_PLACES) ?? []).join('') : ''
      else if (typeof value === 'object' && value !== null) places += placesIn(value)
    }
    known.set(node, places)
  }
  return places
}
