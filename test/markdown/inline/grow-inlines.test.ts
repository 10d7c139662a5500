import { describe, expect, it } from 'vitest'
import {
  extendInlines,
  finishInlines,
  growInlines,
  shownInlines,
  type GrowthLimits,
  type InlineGrowth,
  parseInlines,
} from '../../../src/markdown/inline/grow-inlines.ts'
import type { Inline, InlineSegment } from '../../../src/markdown/inline/tree.ts'
import { randomTexts, SNIPPETS } from '../inline-random.ts'
import { NO_REFERENCES, referencesOf } from '../inline-references.ts'

const REFERENCES = referencesOf(new Map([['REF', { url: '/ref', title: 'T' }]]), ['1'])
/** Settles wherever that is exact, so that short texts are cut as long ones are. */
const EAGER: readonly GrowthLimits[] = [
  { settleFrom: 0, longest: Infinity },
  { settleFrom: 5, longest: Infinity },
]
const FORCED: GrowthLimits = { settleFrom: 4, longest: 12 }

/** One list of nodes out of segments: text that a cut divided is one again. */
function joined(nodes: readonly Inline[]): readonly Inline[] {
  const list: Inline[] = []
  for (const node of nodes) {
    const last = list.at(-1)
    if (node.type === 'text' && last?.type === 'text')
      list[list.length - 1] = { type: 'text', text: last.text + node.text }
    else list.push('children' in node ? { ...node, children: joined(node.children) } : node)
  }
  return list
}

function nodesOf(segments: readonly InlineSegment[]): string {
  return JSON.stringify(joined(segments.flatMap(({ children }) => children)))
}

function exactly(text: string): string {
  return JSON.stringify(joined(parseInlines(text, REFERENCES)))
}

function lettersOf(nodes: readonly Inline[]): string {
  const text = (node: Inline): string => {
    if ('children' in node) return lettersOf(node.children)
    if (node.type === 'image') return node.alt
    return 'text' in node ? node.text : ''
  }
  return nodes
    .map(text)
    .join('')
    .replace(/[^a-z]/g, '')
}

function* growthsOf(
  text: string,
  limits: GrowthLimits,
  step = 1,
): Generator<{ readonly part: string; readonly growth: InlineGrowth }> {
  let growth: InlineGrowth | undefined
  for (let end = step; end < text.length + step; end += step) {
    const part = text.slice(0, end)
    growth = growInlines(growth, part, REFERENCES, limits)
    yield { part, growth }
  }
}

describe('a paragraph that grows letter by letter', () => {
  it.each(EAGER)('says at every moment, once it has ended, what it says when it comes whole: %o', (limits) => {
    let settled = 0
    for (const text of randomTexts(11, 300, 24)) {
      for (const { part, growth } of growthsOf(text, limits)) {
        if (nodesOf(finishInlines(growth, part, REFERENCES)) !== exactly(part))
          expect.fail(`${JSON.stringify(part)} of ${JSON.stringify(text)}`)
        settled += growth.segments.length
      }
    }
    expect(settled).toBeGreaterThan(3000)
  })

  it('never changes a piece that has settled, and keeps it when it ends', () => {
    for (const text of randomTexts(23, 300, 24)) {
      let before: InlineGrowth | undefined
      for (const { growth } of growthsOf(text, { settleFrom: 0, longest: Infinity })) {
        if (before?.segments.some((segment, at) => growth.segments[at] !== segment) === true)
          expect.fail(JSON.stringify(text))
        before = growth
      }
      const whole = finishInlines(before, text, REFERENCES)
      if (before?.segments.some((segment, at) => whole[at] !== segment) === true) expect.fail(JSON.stringify(text))
    }
  })

  it('says in the end what it says when it comes whole, even where it had to settle by force', () => {
    let forced = 0
    for (const text of randomTexts(37, 600, 30)) {
      const growth = [...growthsOf(text, FORCED)].at(-1)?.growth
      if (growth?.exact === false) forced++
      if (nodesOf(finishInlines(growth, text, REFERENCES)) !== exactly(text)) expect.fail(JSON.stringify(text))
    }
    expect(forced).toBeGreaterThan(150)
  })

  it('is exact where something stays open for longer than it is held back', () => {
    const long = 'some words '.repeat(27)
    const snippets = [
      ...SNIPPETS,
      ...Array.from({ length: 12 }, () => long),
      '<a b="',
      '<a b=',
      '[a](/u "t',
      '[a](<u',
      '[a][b',
      '-->',
      '">',
      '<?x ',
      '?>',
      '")',
      'c>',
    ]
    for (const text of randomTexts(43, 800, 16, snippets)) {
      const growth = [...growthsOf(text, { settleFrom: 0, longest: Infinity }, 37)].at(-1)?.growth
      if (nodesOf(finishInlines(growth, text, REFERENCES)) !== exactly(text))
        expect.fail(JSON.stringify(text.replaceAll(long, '…')))
    }
  })

  it('has segments whose keys say where they begin', () => {
    const text = 'one two three four'
    for (const { growth } of growthsOf(text, { settleFrom: 3, longest: Infinity })) {
      for (const { key, children } of [...growth.segments, growth.open]) {
        const [first] = children
        if (first?.type === 'text') expect(text.startsWith(first.text, key)).toBe(true)
      }
    }
  })

  it('never shows a letter that it has to take away', () => {
    // Backticks are left out: who shows half a code span as code shows addresses in it, too.
    const snippets = SNIPPETS.filter((snippet) => !snippet.includes('`'))
    // And two rare things: a footnote's mark that turns out to be a link's text, an entity that turns out to be part of an address.
    const rare = /\[\^\w+\]\[ref|(?:www|https:)\S+&/
    for (const text of randomTexts(41, 600, 24, snippets)) {
      if (rare.test(text)) continue
      const whole = lettersOf(parseInlines(text, REFERENCES))
      for (const { part, growth } of growthsOf(text, { settleFrom: 0, longest: Infinity })) {
        const shown = lettersOf(shownInlines(growth).flatMap(({ children }) => children))
        if (!whole.startsWith(shown))
          expect.fail(`${JSON.stringify(part)} of ${JSON.stringify(text)} shows ${shown}, in the end ${whole}`)
      }
    }
  })

  it('is the same when it gets only what is new', () => {
    const text = 'a *b* c [d](/e) f `g` h'
    let growth = growInlines(undefined, '', REFERENCES, FORCED)
    for (let end = 3; end < text.length + 3; end += 3) {
      growth = extendInlines(growth, text.slice(end - 3, end), REFERENCES, FORCED)
      expect(growth).toEqual([...growthsOf(text.slice(0, end), FORCED, 3)].at(-1)?.growth)
    }
  })

  it('may lose the blanks at its end again', () => {
    const growth = growInlines(undefined, 'a *b* c \n', NO_REFERENCES)
    expect(nodesOf(finishInlines(growth, 'a *b* c', NO_REFERENCES))).toBe(
      JSON.stringify(parseInlines('a *b* c', NO_REFERENCES)),
    )
  })
})

describe('a very long paragraph', () => {
  const PROSE =
    'The *quick* brown fox jumps over `the` lazy [dog](https://example.com/dog "Rex"), and then it sleeps & dreams. '

  function longestTail(
    text: string,
    step: number,
  ): { readonly longest: number; readonly growth: InlineGrowth | undefined } {
    let longest = 0
    let growth: InlineGrowth | undefined
    for (let end = step; end <= text.length; end += step) {
      growth = growInlines(growth, text.slice(0, end), NO_REFERENCES)
      longest = Math.max(longest, growth.tail.length)
    }
    return { longest, growth }
  }

  it('reads no more than its last half a thousand letters again', () => {
    const { longest, growth } = longestTail(PROSE.repeat(500), 50)
    expect(longest).toBeLessThan(700)
    expect(growth?.exact).toBe(true)
    expect(growth?.segments.length).toBeGreaterThan(50)
  })

  it.each(['*a_', '[', '![', '`` ` ', '<a ', '[a](b', 'a', '![x](', '<!-- ', '**a b', '😀'])(
    'of "%s" over and over reads two thousand again, and is exact in the end',
    (unit) => {
      const text = unit.repeat(8000 / unit.length)
      const { longest, growth } = longestTail(text, 83)
      expect(longest).toBeLessThan(2048 + 83)
      expect(nodesOf(finishInlines(growth, text, NO_REFERENCES))).toBe(
        JSON.stringify(joined(parseInlines(text, NO_REFERENCES))),
      )
    },
  )

  it.each([
    ['Thai', 'น้ำผู้ใหญ่ที่กำลัง'],
    ['Lao', 'ນ້ຳຜູ້ໃຫຍ່ທີ່'],
    ['Khmer', 'ក្រុមស្រុកខ្មែរ'],
    ['Devanagari', 'क्षत्रियज्ञानत्र्यम्बक'],
    ['Tamil', 'நிகழ்ச்சிக்ஷௌ'],
    ['Korean letters', '\u1100\u1161\u11A8\u1112\u1161\u11AB'],
    ['decomposed Vietnamese', 'đươ\u0300ngphô\u0301Viê\u0323t\u0302'],
    ['emoji of several parts', '👩‍🚀👨‍👩‍👧‍👦🏳️‍🌈👍🏽🇩🇪🇫🇷1️⃣'],
  ])('cuts no grapheme where it has no blank: %s', (_, unit) => {
    const text = unit.repeat(Math.ceil(9000 / unit.length))
    const { growth } = longestTail(text, 7)
    const starts = new Set(Array.from(new Intl.Segmenter().segment(text), ({ index }) => index))
    const keys = [...(growth?.segments ?? []).map(({ key }) => key), growth?.key ?? 0]
    expect(keys.length).toBeGreaterThan(3)
    expect(keys.filter((key) => !starts.has(key))).toEqual([])
  })

  it('keeps pairs of surrogates together where it has no blank', () => {
    const { growth } = longestTail('😀'.repeat(5000), 7)
    expect(growth?.segments.length).toBeGreaterThan(1)
    for (const { children } of growth?.segments ?? []) expect(JSON.stringify(children)).not.toContain('\\ud')
  })
})
