// Common names are part of the engine; the table of all 2,125 is a quarter of its size and is added by all-entities.ts.

const COMMON =
  'amp & lt < gt > quot " apos \' nbsp \u00a0 copy © reg ® trade ™ hellip … mdash — ndash – lsquo ‘ rsquo ’ ldquo “ rdquo ” ' +
  'laquo « raquo » bull • middot · deg ° plusmn ± times × divide ÷ micro µ para ¶ sect § frac12 ½ frac14 ¼ frac34 ¾ euro € ' +
  'pound £ yen ¥ cent ¢ larr ← rarr → uarr ↑ darr ↓ harr ↔ rArr ⇒ le ≤ ge ≥ ne ≠ asymp ≈ infin ∞ sum ∑ radic √ check ✓ ' +
  'auml ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü szlig ß eacute é egrave è agrave à ccedil ç ntilde ñ ensp \u2002 emsp \u2003 ' +
  'thinsp \u2009 shy \u00ad zwj \u200d zwnj \u200c'

type EntityNames = ReadonlyMap<string, string>

let common: EntityNames | undefined
let readAll: (() => EntityNames) | undefined
let all: EntityNames | undefined
let hasMissedName = false
let version = 0
const listeners = new Set<() => void>()

function readCommon(): EntityNames {
  const words = COMMON.split(' ')
  return new Map(words.flatMap((name, at) => (at % 2 === 0 ? [[name, words[at + 1] ?? '']] : [])))
}

/** The character that a name of HTML stands for; undefined when it is not known, or not known yet. */
export function characterNamed(name: string): string | undefined {
  const character = (common ??= readCommon()).get(name) ?? (all ??= readAll?.())?.get(name)
  if (character === undefined && !readAll) hasMissedName = true
  return character
}

/** Makes all names known; they are read when one is needed. Where one was not known before, listeners are told. */
export function addEntityNames(read: () => EntityNames): void {
  if (readAll) return
  readAll = read
  if (!hasMissedName) return
  version += 1
  // Not at once: a component that renders may have added them.
  queueMicrotask(() => {
    for (const listener of listeners) listener()
  })
}

/** Calls the listener when text that was read before has to be read again. Returns a function that ends that. */
export function subscribeToEntityNames(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Another number when text has to be read again. */
export function entityNamesVersion(): number {
  return version
}
