import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { markdownEngine } from '../../../src/components/markdown-block/rich-text-engine.tsx'
import { forbiddenIn, readMarkup } from '../../conformance/allowed-html.ts'

/** Ordinary answers: what guards against hostile ones takes nothing from these. */
const folder = join(import.meta.dirname, '../../markdown/answers')
const answers = Object.fromEntries(
  readdirSync(folder).map((name) => [name.replace(/^\d+-|\.md$/g, ''), readFileSync(join(folder, name), 'utf8')]),
)

const shown = (name: string): string => renderToStaticMarkup(<markdownEngine.Text text={answers[name] ?? ''} />)
const linksOf = (html: string): readonly string[] =>
  readMarkup(html).tags.flatMap(({ name, attributes }) => (name === 'a' ? [attributes['href'] ?? ''] : []))
const textOf = (html: string): string => readMarkup(html).text
const count = (html: string, element: string): number =>
  readMarkup(html).tags.filter(({ name }) => name === element).length

/** What each of them has to show: addresses of its links in order, words as they are read, elements with their number. */
const EXPECTED: Readonly<
  Record<
    string,
    {
      readonly links?: readonly string[]
      readonly text?: readonly string[]
      readonly elements?: Readonly<Record<string, number>>
    }
  >
> = {
  'how-to-install': {
    links: ['http://localhost:3000/start', 'https://docs.example.com/guide?step=1&lang=en#install'],
    text: [
      'npm install --save-dev widget\nnpx widget init --name "my app" && echo done > log.txt',
      'or read the guide.',
      'Commit widget.config.json.',
    ],
    elements: { h2: 1, pre: 1, ol: 1, li: 3, strong: 1 },
  },
  'comparison-table': {
    links: ['https://alpha.example.org/docs'],
    text: ['WAL | off', '12,000', 'slow fast now'],
    elements: { table: 1, th: 4, td: 12, del: 1, em: 1 },
  },
  'code-review': {
    text: [
      'if (text[i] === "<" && !isOpen(text, i)) out.push(read(text, i) as T) // & so on',
      '- for (let i = 0; i < text.length; i++) {\n+ for',
      'it compares with < where it needs <=.',
    ],
    elements: { pre: 2, blockquote: 1, code: 6 },
  },
  'nested-lists': { text: ['units', 'Ship it.'], elements: { ul: 2, ol: 1, li: 8, svg: 2 } },
  footnotes: {
    links: ['https://example.org/river-meanders'],
    text: ['Leopold, 1960.'],
    elements: { sup: 2, section: 1 },
  },
  'html-tutorial': {
    text: [
      '<a href="https://example.com">text</a>',
      '<script src="app.js"></script>',
      '<a href="javascript:void(0)" onclick="go()">Go</a>',
      'Do not use <marquee> or <b onclick="x()">, they',
    ],
    links: [],
  },
  arabic: {
    links: ['https://example.org/ar/river'],
    text: ['النهر طويل جدا', 'npm run build'],
    elements: { li: 2, h2: 1 },
  },
  'persian-and-emoji': { text: ['نیم‌فاصله دارد: می‌شود. 👩‍🚀 🏳️‍🌈', "const flag = '🏳️‍🌈' // می‌شود"] },
  'reference-links': {
    links: [
      'https://example.org/paper.pdf',
      'https://data.example.org/set?id=7&v=2',
      'https://git.example.com/a_b/c_d',
    ],
    text: ['Read the paper, its data and its code.'],
  },
  'mail-and-bare': {
    links: [
      'mailto:help@example.com',
      'mailto:sales@example.com',
      'tel:+49301234',
      'https://example.com/a_(b)',
      'http://www.example.org/x_y',
      'https://xn--mnchen-3ya.example/',
    ],
    text: [
      'call +49 30 1234.',
      'More at https://example.com/a_(b), www.example.org/x_y and https://xn--mnchen-3ya.example/.',
    ],
  },
  mathematics: {
    text: [
      '$\\pi r^2$; with r = 2 * 3 that is 36 * pi. Costs $5 to $10, 3 < 4 & 5 > 2.',
      'A * lone star, snake_case_name, 2**10, a_b and 5 * 6.',
    ],
    elements: { em: 0, strong: 0 },
  },
  'picture-and-badge': {
    links: ['https://ci.example.com/runs'],
    text: ['A map of the river · img.example.orgLoad image', 'build passing', 'line two'],
    elements: { hr: 1, h2: 1, br: 1, img: 0, button: 1 },
  },
}

describe('an ordinary answer', () => {
  it('has its expectation, and each expectation its answer', () => {
    expect(Object.keys(EXPECTED).toSorted()).toEqual(Object.keys(answers).toSorted())
  })

  it.each(Object.entries(EXPECTED))('shows all that it says: %s', (name, { links, text = [], elements = {} }) => {
    const html = shown(name)
    expect(forbiddenIn(html)).toEqual([])
    if (links) expect(linksOf(html)).toEqual(links)
    for (const words of text) expect(textOf(html)).toContain(words)
    expect(Object.fromEntries(Object.keys(elements).map((element) => [element, count(html, element)]))).toEqual(
      elements,
    )
  })
})

describe('a link that says another address than its own', () => {
  const textFor = (markdown: string): string => textOf(renderToStaticMarkup(<markdownEngine.Text text={markdown} />))

  it.each([
    ['[https://bank.example](https://elsewhere.example/x)', 'https://bank.example (elsewhere.example)'],
    ['[www.bank.example/login](https://elsewhere.example)', 'www.bank.example/login (elsewhere.example)'],
    ['[https://**bank**.example](https://elsewhere.example)', 'https://bank.example (elsewhere.example)'],
    [
      '[go to https://bank.example?](https://elsewhere.example/https://bank.example)',
      'go to https://bank.example? (elsewhere.example)',
    ],
    ['[htt\u200Bps://bank.example](https://elsewhere.example)', 'htt\u200Bps://bank.example (elsewhere.example)'],
    [
      '[https://elsewhere.example.bank.example](https://elsewhere.example)',
      'https://elsewhere.example.bank.example (elsewhere.example)',
    ],
    ['https://b\u0430nk.example', 'https://b\u0430nk.example (xn--bnk-6cd.example)'],
    ['[https://bank.example](mailto:me@elsewhere.example)', 'https://bank.example (me@elsewhere.example)'],
  ])('is followed by where it leads: %s', (markdown, text) => {
    expect(textFor(markdown)).toBe(text)
  })

  it.each([
    '[the bank](https://bank.example)',
    'https://bank.example/a?b=c#d.',
    '[https://www.bank.example](https://bank.example/x)',
    '[Node.js](https://nodejs.example)',
    'HTTPS://BANK.example',
    'https://bank.example:8080/x',
  ])('is left alone otherwise: %s', (markdown) => {
    expect(textFor(markdown)).not.toContain(' (')
    expect(linksOf(renderToStaticMarkup(<markdownEngine.Text text={markdown} />))).toHaveLength(1)
  })

  it.each([
    '[x](https://bank.example@elsewhere.example)',
    '<https://bank.example:80@elsewhere.example/>',
    `[x](https://bank.example/${'a'.repeat(9_000)})`,
    '[x](//bank.example)',
    '[x](/path)',
    '[x](#top)',
    '[x](java\tscript:1)',
    '[x](&#x6A;avascript:1)',
    '[x](\u0001javascript:1)',
    '[x](data:text/html,1)',
    '[x](blob:https://bank.example/1)',
  ])('is words where it may lead nowhere: %s', (markdown) => {
    expect(linksOf(renderToStaticMarkup(<markdownEngine.Text text={markdown} />))).toEqual([])
  })

  it('holds nothing else that can be pressed', () => {
    const html = renderToStaticMarkup(
      <markdownEngine.Text
        text={'[![a map](https://img.example/map.png) and [1][^n]](https://bank.example)\n\n[^n]: A note, [^n].'}
      />,
    )
    expect(forbiddenIn(html)).toEqual([])
    expect(html).not.toContain('img.example/map.png')
  })
})

describe('code with invisible characters', () => {
  const codeOf = (code: string): string =>
    textOf(renderToStaticMarkup(<markdownEngine.Text text={`\`\`\`\n${code}\n\`\`\`\n\n\`${code}\``} />)).replace(
      /^.*?Copy\b\w*/,
      '',
    )

  it('names those that turn text around or hide in a name', () => {
    const shownCode = codeOf('a\u202E \u2066b\u2069 is\u200BAdmin is\u200CAdmin')
    expect(shownCode).not.toMatch(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069]/)
    expect(shownCode).toContain('a⟨U+202E⟩ ⟨U+2066⟩b⟨U+2069⟩ is⟨U+200B⟩Admin is⟨U+200C⟩Admin')
  })

  it('leaves those that languages and emoji need', () => {
    expect(codeOf("'می\u200Cشود 👩\u200D🚀'")).toContain("'می\u200Cشود 👩\u200D🚀'")
  })
})
