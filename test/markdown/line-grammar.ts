/** The same numbers for the same seed, on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** What a line may begin with: marks of containers, whole and half, and blanks that decide where it belongs. */
const PREFIXES = [
  '',
  '',
  '',
  '',
  ' ',
  '  ',
  '   ',
  '    ',
  '      ',
  '\t',
  ' \t',
  '> ',
  '>',
  '>  ',
  '> > ',
  '>\t',
  '- ',
  '-',
  '-  ',
  '-\t',
  '* ',
  '+ ',
  '1. ',
  '1) ',
  '2. ',
  '10. ',
  '  - ',
  '- - ',
  '> - ',
  '- > ',
  '   1. ',
  '-     ',
]

/** What CommonMark decides about. Each of these is undecided somewhere: by what is above, below, or still to come. */
export const COMMON_LINES = [
  'a',
  'foo',
  'foo bar',
  'b c',
  'x  ',
  'y\\',
  '',
  '',
  '',
  ' ',
  '---',
  '--',
  '-',
  '- -',
  '***',
  '* *',
  '___',
  '___foo',
  '===',
  '=',
  '==x',
  '# h',
  '#',
  '#hashtag',
  '## h ##',
  '####### h',
  '# h #x',
  '```',
  '```js',
  '````',
  '``` a`b',
  '~~~',
  '~~~ x',
  '``',
  '<div>',
  '</div>',
  '<a href="x">',
  '</p',
  '</pre>',
  '<pre>',
  '<!-- c',
  '-->',
  '<!-- c -->',
  '<?',
  '?>',
  '<script>',
  '</script>',
  '<i>k</i>',
  '<!X',
  '<del',
  '[foo]: /url',
  '[foo]: /url "title',
  '[foo]:',
  '/url',
  '"title"',
  '"title',
  'end"',
  "'t",
  '(t)',
  '[foo]: <u> "multi',
  "[bar]: <b c> 't'",
  '[foo]: /url "a" b',
  '[FOO ]: /other',
  '[foo',
  '[foo]',
  '[bar][foo]',
  '[a](/b "c")',
  '![foo]',
  '[x]: y',
  '*a',
  'a*',
  '**b',
  '_c_',
  '`d',
  'd`',
  '*a [foo* b]',
  '1',
  '1.',
  '1. ',
  '3',
  '3.',
  '14. x',
  '- foo',
  '* foo',
  '+',
  '1) x',
  '2. x',
  '> q',
  '>',
  '\\# h',
  '&amp;',
  '\\',
  '    code',
  '\tcode',
  '  - x',
  '      x',
]

/** What GitHub adds. */
const GITHUB = [
  '| a |',
  'a | b',
  '| a | b |',
  '|-|',
  '|-|-|',
  '-|-',
  ':-',
  '| - | :-: |',
  '|---',
  '|',
  '||',
  '| a',
  'a |',
  '| \\| | `|` |',
  ':-:',
  '--|',
  '1|2|3',
  '[ ] t',
  '[x] t',
  '[ ]',
  '[x',
  '[^x]: note',
  '[^x]',
  '[^y]: other',
  '[^x',
  'see [^x] and [^y]',
  '~~s~~',
  '~s',
  'www.example.com',
  'https://x.org/a_b',
  'me@x.org',
]

const GITHUB_LINES = [...COMMON_LINES, ...GITHUB]

/** Nothing that can become an address, a tag or another character: what is shown of these is never taken back. */
export const PLAIN_LINES = GITHUB_LINES.filter((line) => !/[[<&\\]/.test(line))

/** Formulas, prices, and what may be taken for either. */
const MATH = [
  '$$',
  '$$',
  '$$ ',
  '\\[',
  '\\[',
  '\\]',
  '\\(',
  'x = y $$',
  '= z \\]',
  '+ b',
  'a \\\\',
  '$$x$$',
  '$$ x',
  '$$$',
  '$',
  '$a$',
  '$a_1 b_2$ c',
  '$5 and $10',
  '$5',
  '$x',
  'y$ z',
  '\\$x$',
  '\\(a\\) b \\[c\\]',
  '\\[\\begin{cases}',
  '$$\\begin{x}',
  '\\end{x}$$',
  '$a`b$ c`',
  '$`a`$',
  '[$a](/u) b$',
  '*$a*$*',
  '| $a$ | $b |',
  '- $$',
  '```math',
]

/** As many lines with formulas as others. */
export const MATH_LINES = [...MATH, ...MATH, ...MATH, ...GITHUB_LINES]

/** What is inside a paragraph. */
const SPANS = [
  'word',
  'and',
  'the',
  'some more words',
  '*em*',
  '**strong**',
  '`code`',
  '[foo]',
  '[text](/url)',
  '[^x]',
  '*',
  '_',
  '`',
  '~~',
  '[',
  ']',
  '![',
  '<b>',
  '&amp;',
  '\\*',
  'www.example.com',
  'a_b',
  '1.',
  '|',
  'end.',
]

/** With formulas. */
export const MATH_SPANS = [...SPANS, ...MATH.slice(6), '\\)', '\\]', '$$', '$']

function pick<Item>(random: () => number, items: readonly Item[], fallback: Item): Item {
  return items[Math.floor(random() * items.length)] ?? fallback
}

/** A document of a few hostile lines. Some end without a line end. */
export function lineGrammarDocument(random: () => number, atoms: readonly string[] = GITHUB_LINES): string {
  const count = 1 + Math.floor(random() * 8)
  const lines = Array.from(
    { length: count },
    () => pick(random, PREFIXES, '') + (random() < 0.15 ? pick(random, PREFIXES, '') : '') + pick(random, atoms, 'a'),
  )
  const end = random() < 0.05 ? '\r\n' : '\n'
  return lines.join(end) + (random() < 0.5 ? end : '')
}

/** Some of the texts, one behind the other. */
export function concatenation(random: () => number, texts: readonly string[]): string {
  const count = 2 + Math.floor(random() * 4)
  return Array.from({ length: count }, () => pick(random, texts, '') + pick(random, ['', '\n', '\n\n'], '')).join('')
}

/** Where to cut a text: every code unit, or pieces of 1 to `longest` units. */
export function pieces(text: string, random?: () => number, longest = 40): string[] {
  const cut: string[] = []
  for (let at = 0; at < text.length;) {
    const length = random === undefined ? 1 : 1 + Math.floor(random() * longest)
    cut.push(text.slice(at, at + length))
    at += length
  }
  return cut
}

/** One paragraph of some thousand code units, so that it settles while it grows, and a few lines below that may change what it was. */
export function longParagraph(random: () => number, spans: readonly string[] = SPANS): string {
  const lines = Array.from({ length: 60 + Math.floor(random() * 120) }, () =>
    Array.from({ length: 1 + Math.floor(random() * 8) }, () => pick(random, spans, 'a')).join(
      random() < 0.7 ? ' ' : '',
    ),
  )
  const text = lines.filter((line) => line.trim() !== '').join(random() < 0.5 ? '\n' : ' ')
  return `${pick(random, ['', '', '- ', '> ', '[foo]: /url\n', '1. [ ] '], '')}${text}\n${pick(random, ['', '===\n', '---\n', 'a | b\n-|-\n', '[foo]: /url\n', '\n[foo]: /url\n\n[^x]: note\n', '# h\n'], '')}`
}
