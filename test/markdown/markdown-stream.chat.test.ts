import { describe, expect, it } from 'vitest'
import { mathSyntax } from '../../src/markdown/math-syntax.ts'
import { createMarkdownStream, parseMarkdown } from '../../src/markdown/parse-markdown.ts'
import { streamFault } from './stream-check.ts'
import { toHtml } from './to-html.ts'

const OPTIONS = { flavor: 'chat', math: mathSyntax } as const

/** The HTML of a paragraph without its own tags. */
const chat = (text: string): string =>
  toHtml(parseMarkdown(text, OPTIONS), { bareLinks: true })
    .trim()
    .replace(/^<p>|<\/p>$/g, '')

describe('emphasis beside scripts without spaces', () => {
  it.each([
    ['**警告：**请先备份。', '<strong>警告：</strong>请先备份。'],
    ['**“공식 문서는 매달 바뀐다”**는 규칙입니다.', '<strong>“공식 문서는 매달 바뀐다”</strong>는 규칙입니다.'],
    ['*これは斜体です（例）。*続きます。', '<em>これは斜体です（例）。</em>続きます。'],
    ['これは**「引用」**です', 'これは<strong>「引用」</strong>です'],
    ['***太字（注）***続き', '<em><strong>太字（注）</strong></em>続き'],
    ['~~旧版（2019）。~~新版', '<del>旧版（2019）。</del>新版'],
    ['**注意：**Please', '<strong>注意：</strong>Please'],
    ['这是**“重点”**和**（补充）**内容', '这是<strong>“重点”</strong>和<strong>（补充）</strong>内容'],
    ['**“คำเตือน”**ครับ', '<strong>“คำเตือน”</strong>ครับ'],
    ['**𠮷：**野家', '<strong>𠮷：</strong>野家'],
    ['foo*bar* and *단어*로 끝', 'foo<em>bar</em> and <em>단어</em>로 끝'],
  ])('%s', (text, html) => {
    expect(chat(text)).toBe(html)
  })

  it('does not concern other scripts, which keep the rule of CommonMark', () => {
    for (const text of ['**foo.**bar', '**“foo”**bar', 'a * b * c', '_foo.bar_baz'])
      expect(chat(text)).toBe(
        toHtml(parseMarkdown(text))
          .trim()
          .replace(/^<p>|<\/p>$/g, ''),
      )
  })
})

describe('a bare address', () => {
  const links = (text: string): string[] =>
    [...chat(text).matchAll(/<a href="[^"]*">([^<]*)<\/a>/g)].map(([, words = '']) => words)

  it.each([
    ['请看 https://docs.example/guide。谢谢', ['https://docs.example/guide']],
    [
      '（https://docs.example/a）；https://docs.example/b；https://docs.example/c。',
      ['https://docs.example/a', 'https://docs.example/b', 'https://docs.example/c'],
    ],
    ['www.docs.example/a，详见', ['www.docs.example/a']],
    ['https://docs.example/a、b', ['https://docs.example/a']],
    ['请访问www.docs.example了解', ['www.docs.example']],
    ['https://docs.example/a의 문서', ['https://docs.example/a']],
    ['https://例え.example/案内', ['https://例え.example/']],
    ['https://docs.example/%E4%B8%AD', ['https://docs.example/%E4%B8%AD']],
    ['انظر https://docs.example/a، ثم https://docs.example/b؟', ['https://docs.example/a', 'https://docs.example/b']],
    ['देखें https://docs.example/a। फिर', ['https://docs.example/a']],
    ['“https://docs.example/a” and «https://docs.example/b»…', ['https://docs.example/a', 'https://docs.example/b']],
    ['https://docs.example/L’Équipe', ['https://docs.example/L’Équipe']],
  ])(
    'ends before full-width punctuation, such letters and the end of a sentence in any script: %s',
    (text, expected) => {
      expect(links(text)).toEqual(expected)
    },
  )
})

describe('one tilde', () => {
  it.each(['大约3~5天，价格100~200元', '8~9点或10~11点', 'first (~$1.50) and second (~$10)', 'H~2~O'])(
    'means about, and strikes nothing out: %s',
    (text) => {
      expect(chat(text)).toBe(text)
    },
  )
})

describe('a dollar sign', () => {
  it.each([
    ['设$x$为实数，则$x^2\\ge 0$。', ['x', 'x^2\\ge 0']],
    ['速度为$v=10$米', ['v=10']],
    ['実数$x$に対して', ['x']],
    ['변수 $x$는', ['x']],
  ])('opens and closes a formula beside such letters: %s', (text, expected) => {
    expect([...chat(text).matchAll(/<math>([^<]*)<\/math>/g)].map(([, formula]) => formula)).toEqual(expected)
  })

  it.each(['**$1.50**', '$/PR and $/session', '~$0.79/m³ or $300/t', '价格$5和$10元'])(
    'of a price does not: %s',
    (text) => {
      expect(chat(text)).not.toContain('<math')
    },
  )
})

describe('tags that people write in markdown', () => {
  it.each([
    ['H<sub>2</sub>O', 'H<sub>2</sub>O'],
    ['x<sup>**2**</sup>', 'x<sup><strong>2</strong></sup>'],
    ['Press <kbd>Ctrl</kbd>+<KBD>C</KBD>', 'Press <kbd>Ctrl</kbd>+<kbd>C</kbd>'],
    ['one<br>two<br/>three<br />four', 'one<br />\ntwo<br />\nthree<br />\nfour'],
    ['<kbd>Esc</kbd>', '<kbd>Esc</kbd>'],
    ['`<br>`', '<code>&lt;br&gt;</code>'],
  ])('mean what they say: %s', (text, html) => {
    expect(chat(text)).toBe(html)
  })

  it('break lines in cells of tables', () => {
    expect(chat('| a |\n|---|\n| one<br>two |')).toContain('<td>one<br />\ntwo</td>')
  })

  it.each([
    '<sub onclick="x()">2</sub>',
    '<sub>2',
    '2</sub>',
    '<sub>a<b>c</b></sub>',
    '<br onload="x()">',
    '<script>x()</script>',
  ])('are text in any other form: %s', (text) => {
    expect(JSON.stringify(parseMarkdown(text, OPTIONS))).not.toMatch(/"type":"(?:sub|break)"/)
  })

  it('are shown as what they become while they arrive', () => {
    const stream = createMarkdownStream(OPTIONS)
    const shown: string[] = []
    for (const letter of 'H<sub>2</sub>O<br>!') {
      stream.append(letter)
      shown.push(toHtml(stream.root).trim())
    }
    expect(shown.filter((html) => html.includes('&lt;'))).toEqual([])
    expect(shown).toContain('<p>H<sub>2</sub></p>')
  })
})

describe('an answer letter by letter', () => {
  const FENCE = '```'
  it.each([
    ['emphasis inside of a word', '*foo*bar and *단어*로 끝', '<p><em>foo</em>bar and <em>단어</em>로 끝</p>'],
    [
      'prices beside formulas',
      'Costs **$1.50** for $x^2$, $/PR or $/session, ~$0.79/m³ to $300/t.',
      '<p>Costs <strong>$1.50</strong> for <math>x^2</math>, $/PR or $/session, ~$0.79/m³ to $300/t.</p>',
    ],
    [
      'a fence in a nested list',
      `1. ${'long '.repeat(400)}item\n   - inner\n\n     ${FENCE}js\n     a()\n     ${FENCE}\n\n   - last\n2. end`,
      /^<ol>\n<li>long [^]*item\n<ul>\n<li>\n<p>inner<\/p>\n<pre><code class="language-js">a\(\)\n<\/code><\/pre>\n<\/li>\n<li>\n<p>last<\/p>\n<\/li>\n<\/ul>\n<\/li>\n<li>end<\/li>\n<\/ol>$/,
    ],
    ['halves of surrogate pairs', 'A **🌊** and 👩‍🔬 𠮷', '<p>A <strong>🌊</strong> and 👩‍🔬 𠮷</p>'],
  ])('shows only what its end has: %s', (_, text, html) => {
    // Units of UTF-16, so that a pair comes in halves.
    expect(
      streamFault(
        Array.from({ length: text.length }, (_unit, at) => text.charAt(at)),
        OPTIONS,
      ),
    ).toBeUndefined()
    expect(toHtml(parseMarkdown(text, OPTIONS)).trim()).toMatch(
      typeof html === 'string' ? new RegExp(`^${html.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`) : html,
    )
  })
})

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  arabic: [
    'قال **المعلم:** اقرأ',
    '- [x] تم\n- [ ] لم يتم',
    '> «اقتباس»[^1]\n\n[^1]: ملاحظة',
    'اكتب `npm ci` ثم *انتظر*.',
    'انظر https://docs.example/a، ثم **https://docs.example/b؟**',
  ],
  hebrew: [
    'הפעל `git push` **עכשיו!**',
    '1. אחת\n2. **שתיים**',
    'ראו https://docs.example/a, תודה',
    '| שם | ערך |\n|---|---|\n| א | ב |',
  ],
  chinese: [
    '**警告：**请先备份。',
    '请看https://docs.example/guide。谢谢',
    '设$x$为实数，约3~5天',
    '１. 一\n２. 二\n- **甲**：乙',
  ],
  japanese: [
    'これは**「引用」**です。',
    '*斜体（例）。*続き',
    '実数$x$に対して~~旧版。~~',
    '> 「引用」\n\n- 項目<br>続き',
  ],
  korean: [
    '**“문서”**는 `규칙`입니다.',
    '변수 $x$는 *단어*로 끝',
    'www.docs.example/a의 문서',
    '| 이름 | 값 |\n|---|---|\n| 가 | 나 |',
  ],
  thai: ['**“คำเตือน”**ครับ ๑๒๓', 'ดูที่ https://docs.example/a ครับ', '- น้ำ\n- **ผู้ใหญ่**', 'ค่า $x$ คือ ~~เก่า~~'],
  lao: ['**ຄຳເຕືອນ:** ນ້ຳ', '- ຜູ້ໃຫຍ່\n- **ທີ່**', 'ເບິ່ງ https://docs.example/a ເດີ', 'ຄ່າ $x$ ~~ເກົ່າ~~ `ນ້ຳ`'],
  khmer: ['**ក្រុម៖** ស្រុកខ្មែរ', '1. ស្រុក\n2. *ខ្មែរ*', '> «ខ្មែរ»[^1]\n\n[^1]: ស្រុក', 'មើល https://docs.example/a ។'],
  decomposed: [
    '**Tie\u0302\u0301ng Vie\u0323\u0302t:** đu\u031Bo\u031B\u0300ng',
    '- \u1112\u1161\u11AB\u1100\u1173\u11AF\n- **\u1100\u1161**',
    'Xem https://docs.example/a, ca\u0309m o\u031Bn',
    '`a\u0301` va\u0300 *e\u0302\u0301*',
  ],
  emoji: ['**👩‍🚀:** 👨‍👩‍👧‍👦 🏳️‍🌈', '1️⃣ 👍🏽\n2. **🇩🇪🇫🇷**', '- ❤️\n- *👩🏽‍💻*', '`👩‍🚀` ~~🇨🇭~~ https://docs.example/a👍🏽'],
  vertical: ['︽引用︾**︵注︶**続き', '１. 一\n２. 二', '⑴ **一︰**二', '「﹁重点﹂」*︻注︼*内容'],
  devanagari: ['**क्षत्रिय** और *ज्ञान*।', '1. श्री\n2. त्र्यम्बक', '> «हिन्दी»', 'देखें https://docs.example/a।'],
  vietnamese: [
    '**Tiếng Việt:** đường phố',
    '- Hà Nội\n- *Huế*',
    'Xem https://docs.example/a, cảm ơn',
    '| Tên | Số |\n|---|---|\n| Một | 1 |',
  ],
  latin: [
    '**Note:** use `x` (~3) or **👩‍🚀 now**',
    'H<sub>2</sub>O & <kbd>Ctrl</kbd>',
    'See https://docs.example/a_(b), it costs $5',
    '1. One[^n]\n\n[^n]: Two',
  ],
}

/** Sixty texts of a script: each sentence alone, in a list, in a quote, in bold, and with each other one. */
function textsOf(sentences: readonly string[]): readonly string[] {
  const forms = [
    (text: string) => text,
    (text: string) => `- ${text.replaceAll('\n', '\n  ')}`,
    (text: string) => `> ${text.replaceAll('\n', '\n> ')}`,
    (text: string) => `# ${text}`,
  ]
  const pairs = sentences.flatMap((one) => sentences.map((other) => `${one}\n\n${other}`))
  return [...forms.flatMap((form) => [...sentences, ...pairs].map(form))].slice(0, 60)
}

describe.each(Object.entries(SENTENCES))('sixty texts in %s', (_, sentences) => {
  it.each([{}, OPTIONS, { flavor: 'chat' } as const])(
    'letter by letter are the whole, and take no word back: %o',
    (options) => {
      const texts = textsOf(sentences)
      expect(texts).toHaveLength(60)
      for (const text of texts) expect(streamFault(Array.from(text), options)).toBeUndefined()
    },
  )

  it('show no mark while they arrive that the whole does not show', () => {
    const marksIn = (html: string): number => html.replaceAll(/<[^>]*>/g, '').match(/\*\*|~~|&lt;|\]\(/g)?.length ?? 0
    for (const text of textsOf(sentences)) {
      const most = marksIn(toHtml(parseMarkdown(text, OPTIONS)))
      const stream = createMarkdownStream(OPTIONS)
      for (const letter of text) {
        stream.append(letter)
        expect(marksIn(toHtml(stream.root))).toBeLessThanOrEqual(most)
      }
    }
  })
})
