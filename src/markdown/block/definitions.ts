import {
  destinationOf,
  MORE,
  NO,
  scanLinkDestination,
  scanLinkLabel,
  scanLinkTitle,
  linkTitle,
} from '../inline/link-parts.ts'
import { type LabelledDefinition, type LeadingDefinitions, normalizeLabel } from '../inline/tree.ts'

interface Scanned {
  readonly definition: LabelledDefinition
  /** Behind it and its line end. */
  readonly end: number
  /** Whether the text that follows can still be its title. */
  readonly open: boolean
}

/** The link reference definitions a paragraph begins with. */
export function leadingDefinitions(text: string): LeadingDefinitions {
  const definitions: LabelledDefinition[] = []
  let end = 0
  let settled = 0
  let settledCount = 0
  for (;;) {
    const scanned = text[end] === '[' ? scanDefinition(text, end) : NO
    if (typeof scanned === 'number') {
      return { definitions, end, settled, settledCount, open: scanned === MORE }
    }
    definitions.push(scanned.definition)
    end = scanned.end
    if (scanned.open) return { definitions, end, settled, settledCount, open: true }
    settled = end
    settledCount = definitions.length
  }
}

function scanDefinition(text: string, at: number): Scanned | typeof NO | typeof MORE {
  const colon = scanLinkLabel(text, at)
  if (colon === NO || colon === MORE) return colon
  if (text[colon] !== ':') return colon === text.length ? MORE : NO
  const from = skipToContent(text, colon + 1)
  if (from === text.length) return MORE
  const to = scanLinkDestination(text, from)
  if (to === NO || to === MORE) return to
  if (to === from) return NO
  const label = normalizeLabel(text.slice(at + 1, colon - 1))
  const url = destinationOf(text, from, to)
  const bare = lineEnd(text, to)

  const titleFrom = skipToContent(text, to)
  const titleTo = titleFrom > to ? scanLinkTitle(text, titleFrom) : NO
  const titleEnd = titleTo > 0 ? lineEnd(text, titleTo) : titleTo
  if (titleEnd > 0)
    return {
      definition: { label, url, title: linkTitle(text, titleFrom, titleTo) },
      end: titleEnd,
      open: titleTo === text.length,
    }
  // The text ends inside the title or before it: the definition is valid without a title.
  if (bare !== NO) return { definition: { label, url }, end: bare, open: titleEnd === MORE || bare >= text.length }
  return titleEnd === MORE || to === text.length ? MORE : NO
}

/** Past blanks and at most one line end. */
function skipToContent(text: string, at: number): number {
  let end = skipSpaces(text, at)
  if (text[end] === '\n') end = skipSpaces(text, end + 1)
  return end
}

function skipSpaces(text: string, at: number): number {
  let end = at
  while (text[end] === ' ' || text[end] === '\t') end++
  return end
}

/** Past the end of the line, when nothing but blanks is before it. */
function lineEnd(text: string, at: number): number {
  const end = skipSpaces(text, at)
  if (end >= text.length) return text.length
  return text[end] === '\n' ? end + 1 : NO
}
