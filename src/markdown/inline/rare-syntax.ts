import type { LeadingDefinitions } from '../tree/references.ts'

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

/** Makes it known to all parsers. Where one has missed it, listeners are told. */
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
