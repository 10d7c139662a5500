import type { LeadingDefinitions } from './tree.ts'

/** Names of characters, with what they stand for. */
export type EntityNames = ReadonlyMap<string, string>

/** What reads syntax that most answers have none of: rare names of characters, HTML, and links that are defined apart. */
export interface RareSyntax {
  readNames(): EntityNames
  /** Past the raw HTML at `at`; negative where there is none. */
  scanHtml(text: string, at: number, absent: Set<string>): number
  /** The end of the HTML block that a line begins, undefined for a blank line; null when it begins none. */
  htmlBlockEnd(text: string, interruptsParagraph: boolean): RegExp | undefined | null
  /** The link reference definitions that a paragraph begins with. */
  leadingDefinitions(text: string): LeadingDefinitions
}

let rare: RareSyntax | undefined

let wasMissed = false

let version = 0

const listeners = new Set<() => void>()

/** To be asked for where a text may need it. Undefined before it is here: such a text is read again then. */
export function rareSyntax(): RareSyntax | undefined {
  if (!rare) wasMissed = true
  return rare
}

/** Registers it with all parsers. If one parsed text without it, listeners are notified. */
export function addRareSyntax(syntax: RareSyntax): void {
  if (rare) return
  rare = syntax
  if (!wasMissed) return
  version += 1
  // Not at once: a component that renders may have added it.
  queueMicrotask(() => {
    for (const listener of listeners) listener()
  })
}

/** Calls the listener when text that was read before has to be read again. Returns a function that ends that. */
export function subscribeToRareSyntax(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Another number when text has to be read again. */
export function rareSyntaxVersion(): number {
  return version
}

// Common names are part of the engine; the table of all 2,125 is a quarter of its size and comes later, in all-entities.ts.

const COMMON =
  'amp & lt < gt > quot " apos \' nbsp \u00a0 copy © reg ® trade ™ hellip … mdash — ndash – lsquo ‘ rsquo ’ ldquo “ rdquo ” ' +
  'laquo « raquo » bull • middot · deg ° plusmn ± times × divide ÷ micro µ para ¶ sect § frac12 ½ frac14 ¼ frac34 ¾ euro € ' +
  'pound £ yen ¥ cent ¢ larr ← rarr → uarr ↑ darr ↓ harr ↔ rArr ⇒ le ≤ ge ≥ ne ≠ asymp ≈ infin ∞ sum ∑ radic √ check ✓ ' +
  'auml ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü szlig ß eacute é egrave è agrave à ccedil ç ntilde ñ ensp \u2002 emsp \u2003 ' +
  'thinsp \u2009 shy \u00ad zwj \u200d zwnj \u200c'

let common: EntityNames | undefined

let all: EntityNames | undefined

function readCommon(): EntityNames {
  const words = COMMON.split(' ')
  return new Map(words.flatMap((name, at) => (at % 2 === 0 ? [[name, words[at + 1] ?? '']] : [])))
}

/** The character that a name of HTML stands for; undefined when it is not known, or not known yet. */
export function characterNamed(name: string): string | undefined {
  return (common ??= readCommon()).get(name) ?? (all ??= rareSyntax()?.readNames())?.get(name)
}

/** What `&name;` or `&#number;` stands for; undefined when no such name is known. */
export function decodeEntity(entity: string): string | undefined {
  const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity) ?? []
  if (hex === undefined && decimal === undefined) return characterNamed(entity.slice(1, -1))
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\uFFFD' : String.fromCodePoint(code)
}

/** Text with backslashes and entities resolved and no other syntax: addresses, titles, info strings of fences. */
export function unescapeText(text: string): string {
  if (!/[\\&]/.test(text)) return text
  return text.replace(
    /\\([!-/:-@[-`{-~])|&(?:#[xX][\da-fA-F]{1,6}|#\d{1,7}|[a-zA-Z][a-zA-Z\d]{1,31});/g,
    (whole, escaped?: string) => escaped ?? decodeEntity(whole) ?? whole,
  )
}
