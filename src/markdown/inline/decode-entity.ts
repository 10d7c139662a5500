import { type EntityNames, rareSyntax } from './rare-syntax.ts'

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
