/** Longer patterns are not looked at. */
const LONGEST = 500
/** Steps of matching that a page does while its user waits: some milliseconds. */
const MOST_STEPS = 1_000_000

/** A character, a class, or either end of a group, with its quantifier. Lazy ones try the same in another order. */
const TERM = /(\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<[^>]*>|[a-z-]+:))?|.)(?:([*+?])|\{(\d+)(,?)(\d*)\})?\??/gsu

/**
 * Whether a regular expression of an agent can be run here. Backtracking tries every way to divide a text among the choices of a
 * pattern; this counts the ways for a text of this length, and refuses what could take longer than a page may be blocked. It
 * counts too many rather than too few: what is refused here is checked by the agent.
 */
export function canRunPattern(pattern: string, length: number): boolean {
  if (pattern.length > LONGEST || compile(pattern) === undefined) return false
  const starts = pattern.startsWith('^') ? 1 : length + 1
  return waysOf(pattern, length + 1) * starts <= MOST_STEPS
}

/** Undefined: it is not a regular expression of this engine. */
export function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
}

/** How many ways there are to match a valid pattern against a text with so many places. */
function waysOf(pattern: string, places: number): number {
  /** The groups around the term. */
  const around: { readonly sum: number; readonly ways: number }[] = []
  /** Those of the alternatives before, and of the one that is read. */
  let [sum, ways] = [0, 1]
  for (const [, term = '', sign, from, comma, to] of pattern.matchAll(TERM)) {
    if (term.startsWith('(')) {
      around.push({ sum, ways })
      sum = 0
      ways = 1
    } else if (term === '|') {
      sum += ways
      ways = 1
    } else {
      let inside = 1
      if (term === ')') {
        inside = sum + ways
        ;({ sum, ways } = around.pop() ?? { sum: 0, ways: 1 })
      }
      const least = sign === undefined ? Number(from ?? 1) : sign === '+' ? 1 : 0
      const isEndless = sign === '*' || sign === '+' || (comma === ',' && to === '')
      const most = Math.min(isEndless ? places : sign === '?' ? 1 : Math.max(least, Number(to ?? 0)), places)
      ways *= Math.max(1, most - least + 1) * inside ** most
    }
  }
  return sum + ways
}
