import {
  destinationOf,
  scanLinkDestination,
  scanLinkLabel,
  scanLinkTitle,
  skipBlanks,
  linkTitle,
} from '../../src/markdown/inline/link-parts.ts'
import { normalizeLabel, type LinkDefinition, type References } from '../../src/markdown/inline/tree.ts'

/** References out of a record of addresses by label. */
export function referencesOf(
  definitions: ReadonlyMap<string, LinkDefinition>,
  footnotes: readonly string[] = [],
): References {
  return { resolve: (label) => definitions.get(label), isFootnote: (label) => footnotes.includes(label) }
}

export const NO_REFERENCES = referencesOf(new Map())

/** The definition a text begins with, in the simple way of tests. */
function readDefinition(text: string, into: Map<string, LinkDefinition>): string | undefined {
  const colon = scanLinkLabel(text, skipBlanks(text, 0))
  if (colon < 0 || text[colon] !== ':') return undefined
  const from = skipBlanks(text, colon + 1)
  const to = scanLinkDestination(text, from)
  if (to <= from || /[^\n]/.test(text.slice(to).match(/^\S*/)?.[0] ?? '')) return undefined
  const label = normalizeLabel(text.slice(text.indexOf('[') + 1, colon - 1))
  const define = (definition: LinkDefinition, rest: string): string => {
    if (!into.has(label)) into.set(label, definition)
    return rest
  }
  const url = destinationOf(text, from, to)
  const begin = skipBlanks(text, to)
  const end = begin > to ? scanLinkTitle(text, begin) : -1
  if (end > 0 && /^[ \t]*(\n|$)/.test(text.slice(end)))
    return define({ url, title: linkTitle(text, begin, end) }, text.slice(end).replace(/^[ \t]*\n?/, ''))
  const rest = /^[ \t]*(?:\n|$)/.exec(text.slice(to))
  return rest === null ? undefined : define({ url }, text.slice(to + rest[0].length))
}

/** The one paragraph of a text, and the definitions around it. */
export function readDefinitions(markdown: string): { readonly paragraph: string; readonly references: References } {
  const definitions = new Map<string, LinkDefinition>()
  let paragraph = ''
  for (const block of markdown.split(/\n{2,}/)) {
    let rest: string | undefined = block
    for (
      let next: string | undefined = block;
      next !== undefined;
      next = next === '' ? undefined : readDefinition(next, definitions)
    )
      rest = next
    if (rest !== '') paragraph = rest
  }
  return { paragraph: paragraph.replace(/^[ \t]+/gm, ''), references: referencesOf(definitions) }
}
