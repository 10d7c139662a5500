/** Longer patterns are not looked at. */
const LONGEST = 500
/** Steps of matching that a page does while its user waits: some milliseconds. */
const MOST_STEPS = 1_000_000

/**
 * Whether a regular expression of an agent can be run here. Backtracking tries every way to divide a text among the choices of a
 * pattern; this counts the ways for a text of this length, and refuses what could take longer than a page may be blocked. It
 * counts too many rather than too few: what is refused here is checked by the agent.
 */
export function canRunPattern(pattern: string, length: number): boolean {
  if (pattern.length > LONGEST) return false
  const starts = pattern.startsWith('^') ? 1 : length + 1
  return waysOf(pattern, length + 1) * starts <= MOST_STEPS && compile(pattern) !== undefined
}

/** Undefined: it is no regular expression of this engine. */
export function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
}

const QUANTIFIER = /[*+?]|\{(\d+)(,?)(\d*)\}/y
const GROUP = /\((?:\?(?:<?[=!]|:|<[^>]*>|[a-z-]+:))?/y

/** How many ways there are to match a pattern against a text with so many places. */
function waysOf(pattern: string, places: number): number {
  let at = 0

  /** All alternatives up to the end of the group. */
  function readAlternatives(): number {
    let sum = 0
    let ways = 1
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        at += 1
        sum += ways
        ways = 1
      } else ways *= readTerm()
    }
    return sum + ways
  }

  /** One character, class or group with its quantifier. */
  function readTerm(): number {
    const inside = readAtom()
    QUANTIFIER.lastIndex = at
    const found = QUANTIFIER.exec(pattern)
    if (found === null) return inside
    at = QUANTIFIER.lastIndex
    // Lazy ones try the same in another order.
    if (pattern[at] === '?') at += 1
    const least = found[0] === '+' ? 1 : Number(found[1] ?? 0)
    const most =
      found[0] === '?'
        ? 1
        : found[1] === undefined || (found[2] === ',' && found[3] === '')
          ? places
          : Number(found[3] || found[1])
    const repeated = Math.min(Math.max(most, least), places)
    return Math.max(1, repeated - least + 1) * inside ** repeated
  }

  function readAtom(): number {
    const first = pattern[at]
    if (first === '(') {
      GROUP.lastIndex = at
      GROUP.exec(pattern)
      at = GROUP.lastIndex
      const ways = readAlternatives()
      at += 1
      return ways
    }
    if (first === '\\') at += 1
    else if (first === '[') at = endOfClass(pattern, at)
    at += 1
    return 1
  }

  let ways = 1
  // A bracket that closes nothing ends a round.
  while (at < pattern.length) {
    ways *= readAlternatives()
    at += 1
  }
  return ways
}

/** Where the bracket is that ends a class. */
function endOfClass(pattern: string, start: number): number {
  for (let at = start + 1; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1
    else if (pattern[at] === ']') return at
  }
  return pattern.length
}
