const STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing
  done down during each else few for from get give go had has have having he her here hers him his how i if in into is it its just know let like
  make many me mean means more most much my need no nor not now of off on once one only or other our out over please same say says she should
  so some such tell than that the their them then there these they thing this those through to too under up us use used using very want was
  way we were what whats when where which while who whom why will with work works would you your explain happen happens support supports supported
  possible`.split(/\s+/),
)

/** Names that are also written with `.js` behind them. Next.js is not among them: "next" alone is an ordinary word. */
const WITH_JS = /^(node|react|vue|express|nuxt|angular|solid)js$/

/**
 * The search term of a word: lower case, endings taken off, so that reconnect, reconnects, reconnecting
 * and reconnection are one. Undefined for words that say nothing.
 */
export function termOf(word: string): string | undefined {
  const lower = word.toLowerCase().replace(WITH_JS, '$1')
  const term = STOP_WORDS.has(lower) ? '' : stem(lower)
  return term.length > 1 ? term : undefined
}

/** The terms of a text, each once, in order. */
export function uniqueTerms(text: string): string[] {
  return [...new Set(wordsOf(text).flatMap((word) => termOf(word) ?? []))]
}

/** The words of a text that have terms, as they were written. */
export function tellingWords(text: string): string[] {
  return [...new Set(wordsOf(text).filter((word) => termOf(word) !== undefined))]
}

/** Every word of a text; a name that ends in `.js` is one word. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(NAME_WITH_JS, '$1js')
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
}

const NAME_WITH_JS = /\b([a-z]+)\.js\b/gi
const BETWEEN_WORDS = /[\s\p{P}\p{S}]+/u

const ENDINGS = [
  'abilities',
  'ability',
  'ibility',
  'ations',
  'ation',
  'ating',
  'ated',
  'ates',
  'ate',
  'able',
  'ible',
  'ments',
  'ment',
  'ings',
  'ing',
  'ions',
  'ion',
  'edly',
  'ed',
  'ers',
  'er',
  'es',
  's',
  'ly',
  'e',
]
const SHORTEST_STEM = 4

function stem(word: string): string {
  if (/(?:ies|ied)$/.test(word) && word.length > SHORTEST_STEM) return `${word.slice(0, -3)}y`
  const ending = ENDINGS.find(
    (each) => word.endsWith(each) && word.length - each.length >= SHORTEST_STEM && !/(?:ss|us|is)$/.test(word),
  )
  if (ending === undefined) return word
  const stemmed = word.slice(0, -ending.length)
  // dropped, dropping: the doubled letter goes too.
  return /([bdgmnprt])\1$/.test(stemmed) ? stemmed.slice(0, -1) : stemmed
}
