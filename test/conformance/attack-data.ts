import { loadConformance } from './conformance-data.ts'

/** Hostile text, and what must not come of it. */
export interface Attack {
  readonly id: number
  readonly name: string
  readonly kind: 'markdown' | 'html' | 'text' | 'url'
  readonly payload: string
  readonly must_not: readonly string[]
  readonly truncated?: boolean
  readonly gen_py?: string
}

/** The attacks with their whole texts, or undefined where the reference data is not there. */
export function loadAttacks(): readonly Attack[] | undefined {
  return loadConformance<{ readonly entries: readonly Attack[] }>('markdown-attacks.json')?.entries.map((attack) => {
    if (attack.truncated !== true) return attack
    const whole = GENERATED[attack.name.replace(/^cmark pathological: /, '')]?.()
    if (whole?.startsWith(attack.payload) !== true)
      throw new Error(
        `Attack ${attack.id} has ${attack.payload.length} of its code units and no rule for the rest: ${attack.gen_py}`,
      )
    return { ...attack, payload: whole }
  })
}

const count = (from: number, to: number, line: (number: number) => string): string =>
  Array.from({ length: to - from }, (_, at) => line(from + at)).join('')

/** What the data file has the first 20,000 code units of, whole. */
const GENERATED: Readonly<Record<string, () => string>> = {
  'nested strong emph': () => `${'*a **a '.repeat(32_500)}b${' a** a*'.repeat(32_500)}`,
  'many link closers with no openers': () => 'a]'.repeat(32_500),
  'issue #389': () => '*a '.repeat(20_000) + '_a*_ '.repeat(20_000),
  'openers and closers multiple of 3': () => `a**b${'c* '.repeat(25_000)}`,
  'nested brackets': () => `${'['.repeat(25_000)}a${']'.repeat(25_000)}`,
  'deeply nested lists': () => count(0, 500, (depth) => `${'  '.repeat(depth)}* a\n`),
  backticks: () => count(1, 2_500, (length) => `e${'`'.repeat(length)}`),
  'unclosed links A': () => '[a](<b'.repeat(30_000),
  'empty lines in deeply nested lists in blockquote': () => `> ${'- '.repeat(30_000)}x\n${'>\n'.repeat(30_000)}`,
  'nested inlines': () => `${'*'.repeat(20_000)}a${'*'.repeat(20_000)}`,
}

/**
 * A text one code unit after the other: 2,000 of them, of a text above 4,000 the first 400. Then in pieces of 37, of a text
 * above 20,000 in 64 pieces.
 */
export function* attackPieces(text: string): Generator<string> {
  const alone = text.length > 4_000 ? 400 : 2_000
  const then = text.length > 20_000 ? Math.ceil(text.length / 64) : 37
  for (let at = 0, length = 1; at < text.length; at += length) {
    length = at < alone ? 1 : then
    yield text.slice(at, at + length)
  }
}
