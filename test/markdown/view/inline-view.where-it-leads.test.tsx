import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { whereItLeads } from '../../../src/markdown/view/inline-view.tsx'
import { markdownEngine } from '../../../src/components/markdown-block/rich-text-engine.tsx'
import { Markdown } from '../../../src/markdown/view/markdown.tsx'
import { forbiddenIn, readMarkup } from '../../conformance/allowed-html.ts'

const shown = (markdown: string): string => renderToStaticMarkup(<markdownEngine.Text text={markdown} />)
const textOf = (markdown: string): string => readMarkup(shown(markdown)).text
const linksOf = (markdown: string): readonly string[] =>
  readMarkup(shown(markdown)).tags.flatMap(({ name, attributes }) => (name === 'a' ? [attributes['href'] ?? ''] : []))

/** Labels of a link to https://evil.test that read like a host, an address or a mailbox of somebody else. */
const MISLEADING: readonly (readonly [why: string, label: string])[] = [
  ['an address', 'https://bank.com'],
  ['a host', 'bank.com'],
  ['a host with www', 'www.bank.com'],
  ['a host within a sentence', 'sign in at bank.com, please'],
  ['a host in parentheses', 'our bank (bank.com)'],
  ['a host in quotes', '“bank.com”'],
  ['a host before an apostrophe', 'bank.com’s page'],
  ['a host at the end of a sentence', 'go to bank.com.'],
  ['a path', 'bank.com/login'],
  ['a query', 'bank.com?login'],
  ['a fragment', 'bank.com#login'],
  ['a port', 'bank.com:443'],
  ['a scheme nobody opens', 'hxxps://bank.com'],
  ['backslashes', 'https:\\\\\\\\bank.com'],
  ['no scheme', '//bank.com'],
  ['a host of one word', 'https://intranet'],
  ['an IPv6 address', 'https://\\[::1\\]/'],
  ['an IPv4 address', '127.0.0.1'],
  ['an IPv4 address with a port', '192.168.0.1:8080'],
  ['a mailbox', 'support@bank.com'],
  ['a mailbox with a scheme', 'mailto:support@bank.com'],
  ['a user before the own host', 'https://bank.com@evil.test'],
  ['a user before the own host, without a scheme', 'bank.com@evil.test'],
  ['its own host within another', 'evil.test.bank.com'],
  ['a host that ends like its own', 'notevil.test'],
  ['its own host first, then another', 'evil.test bank.com'],
  ['its own host, a braille blank and another', 'evil.test/\u2800bank.com'],
  ['its own host in a path', 'bank.com/evil.test'],
  ['its own host behind a user', 'evil.test@bank.com'],
  ['capitals', 'BANK.COM'],
  ['capitals in the ending', 'bank.cOm'],
  ['a trailing dash', 'bank.com-login'],
  ['an arrow', '→bank.com'],
  ['an arrow within', 'login→bank.com'],
  ['blanks around the dot', 'bank . com'],
  ['a blank behind the dot', 'bank. com'],
  ['a blank before the dot', 'bank .com'],
  ['a no-break blank', 'bank\u00A0.\u00A0com'],
  ['a line break', 'bank.\ncom'],
  ['brackets around the dot', 'bank\\[.\\]com'],
  ['parentheses around the dot', 'bank(.)com'],
  ['a full-width dot', 'bank\uFF0Ecom'],
  ['an ideographic full stop', 'bank。com'],
  ['a half-width ideographic full stop', 'bank｡com'],
  ['a one dot leader', 'bank\u2024com'],
  ['a middle dot', 'bank·com'],
  ['a bullet', 'bank•com'],
  ['a katakana middle dot', 'bank・com'],
  ['a Syriac dot', 'bank\u0701com'],
  ['a Lisu letter', 'bank\uA4F8com'],
  ['a zero of Arabic', 'bank\u0660com'],
  ['full-width letters', 'ｂａｎｋ.ｃｏｍ'],
  ['mathematical letters', '𝐛𝐚𝐧𝐤.𝐜𝐨𝐦'],
  ['letters in circles', 'ⓑⓐⓝⓚ.ⓒⓞⓜ'],
  ['a Cyrillic letter in the name', 'b\u0430nk.com'],
  ['Cyrillic letters in the ending', 'bank.\u0441\u043E\u043C'],
  ['a Cyrillic letter in an ending of files', 'Node.\u0458s'],
  ['a Greek letter', 'bank.c\u03BFm'],
  ['punycode', 'xn--bnk-6cd.com'],
  ['an ending in punycode', 'bank.xn--p1ai'],
  ['an ending in another script', 'банк.рф'],
  ['combining marks', 'b\u0335ank.c\u0335om'],
  ['a soft hyphen', 'bank\u00AD.com'],
  ['a soft hyphen in the ending', 'bank.c\u00ADom'],
  ['a blank without width', 'bank\u200B.com'],
  ['a joiner', 'bank\u200D.com'],
  ['a byte order mark', 'bank\uFEFF.com'],
  ['a word joiner', 'bank\u2060.com'],
  ['a variation selector', 'bank\uFE0F.com'],
  ['a grapheme joiner', 'bank\u034F.com'],
  ['a Hangul filler', 'bank\u3164.com'],
  ['tag characters', 'bank\u{E0062}.com'],
  ['a control character', 'bank\u0010.com'],
  ['turned around', '\u202Emoc.knab\u202C'],
  ['turned around so that it ends like a file', '\u202Emoc.js\u202C'],
  ['strong', '**bank.com**'],
  ['emphasis within', 'b*ank.c*om'],
  ['struck', '~~bank.com~~'],
  ['code', '`bank.com`'],
  ['code within', 'bank`.com`'],
  ['an entity', 'bank&#46;com'],
  ['an entity by name', 'bank&period;com'],
  ['an escaped dot', 'bank\\.com'],
  ['a tag within, which is shown', 'bank.com<b>'],
  ['the words of a picture', '![bank.com](https://evil.test/a.png)'],
  ['a picture without words, which is shown by its host', '![](https://bank.com/a.png)'],
  ['an autolink', 'see <https://bank.com> here'],
  ['a bare address', 'see https://bank.com here'],
  ['an ending of files that is one of hosts', 'bank.md'],
  ['the same behind a host', 'bank.com.py'],
  ['an ending of files behind a host', 'bank.com.js'],
  ['the same behind two slashes', '//bank.sh'],
  ['a new ending', 'bank.online'],
  ['more words than are examined', 'word '.repeat(120)],
]

/** Other links whose words name something else than where they lead, and what is shown. */
const OTHERS: readonly (readonly [why: string, markdown: string, shown: string])[] = [
  ['a sub-domain of somebody else', '[bank.com](https://bank.com.evil.test)', 'bank.com (bank.com.evil.test)'],
  [
    'a host below the one that is named',
    '[pages.test](https://somebody.pages.test)',
    'pages.test (somebody.pages.test)',
  ],
  ['an address with a dot of another kind', '[bank.com](https://bank。com.evil.test)', 'bank.com (bank.com.evil.test)'],
  ['another port', '[bank.com](https://bank.com:8443)', 'bank.com (bank.com:8443)'],
  ['a homoglyph in the address', '[bank.com](https://b\u0430nk.com)', 'bank.com (xn--bnk-6cd.com)'],
  ['a homoglyph in both', '[b\u0430nk.com](https://b\u0430nk.com)', 'b\u0430nk.com (xn--bnk-6cd.com)'],
  ['a homoglyph in an autolink', '<https://b\u0430nk.com>', 'https://b\u0430nk.com (xn--bnk-6cd.com)'],
  ['a homoglyph in a bare address', 'https://b\u0430nk.com', 'https://b\u0430nk.com (xn--bnk-6cd.com)'],
  ['an IPv4 address as one number', '[intranet](http://2130706433/)', 'intranet (127.0.0.1)'],
  ['an IPv4 address in hexadecimal', '[intranet](http://0x7f000001/)', 'intranet (127.0.0.1)'],
  ['an IPv4 address in octal', '[intranet](http://0177.0.0.1/)', 'intranet (127.0.0.1)'],
  ['an IPv4 address cut short', '[intranet](http://127.1/)', 'intranet (127.0.0.1)'],
  ['an IPv4 address in other figures', '[intranet](https://①②⑦.0.0.1/)', 'intranet (127.0.0.1)'],
  ['a tooltip', '[here](https://evil.test "https://bank.com")', 'here (evil.test)'],
  ['another mailbox', '[support@bank.com](mailto:me@evil.test)', 'support@bank.com (me@evil.test)'],
  ['another mailbox of the same host', '[support@bank.com](mailto:me@bank.com)', 'support@bank.com (me@bank.com)'],
  [
    'a second mailbox',
    '[support@bank.com](mailto:support@bank.com,me@evil.test)',
    'support@bank.com (support@bank.com,me@evil.test)',
  ],
  [
    'a copy',
    '[support@bank.com](mailto:support@bank.com?cc=me@evil.test)',
    'support@bank.com (support@bank.com, me@evil.test)',
  ],
  [
    'a hidden copy',
    '[support@bank.com](mailto:support@bank.com?subject=x&BCC=me@evil.test)',
    'support@bank.com (support@bank.com, me@evil.test)',
  ],
  ['a page where a mailbox is named', '[support@bank.com](https://bank.com)', 'support@bank.com (bank.com)'],
  ['a telephone where a host is named', '[bank.com](tel:+1900)', 'bank.com (+1900)'],
  ['a link by reference', '[bank.com][1]\n\n[1]: https://evil.test', 'bank.com (evil.test)'],
]

/** Labels that name no host, or exactly their own. A marked link is not a harm, but too many of them and nobody looks any more. */
const HONEST: readonly (readonly [label: string, url: string])[] = [
  ['docs', 'https://docs.example/x'],
  ['the documentation', 'https://docs.example/x'],
  ['Read more…', 'https://docs.example/x'],
  ['here', 'https://docs.example/x'],
  ['Node.js', 'https://nodejs.org'],
  ['Next.js 16', 'https://nextjs.example'],
  ['Vue.js-based', 'https://vue.example'],
  ['NODE.JS', 'https://nodejs.org'],
  ['D3.js', 'https://d3.example'],
  ['e.g. this', 'https://docs.example'],
  ['i.e. that one', 'https://docs.example'],
  ['etc. and so on', 'https://docs.example'],
  ['U.S. Geological Survey', 'https://survey.example'],
  ['J. R. R. Tolkien', 'https://library.example'],
  ['Dr. Smith', 'https://library.example'],
  ['St. Louis, Mo.', 'https://library.example'],
  ['9 a.m. to 5 p.m.', 'https://hours.example'],
  ['v1.2.3', 'https://git.example/releases'],
  ['1.2.3-beta.1', 'https://git.example/releases'],
  ['version 2.0', 'https://git.example/releases'],
  ['Chrome 120.0.6099.109', 'https://browser.example'],
  ['Section 4.2.1', 'https://spec.example'],
  ['RFC 9110, 5.6.7', 'https://spec.example'],
  ['3.14', 'https://maths.example'],
  ['$1.50 per month', 'https://shop.example'],
  ['README.md', 'https://git.example/README.md'],
  ['CODE_OF_CONDUCT.md', 'https://git.example'],
  ['docs/guide.md', 'https://git.example'],
  ['src/main.rs', 'https://git.example'],
  ['./scripts/install.sh', 'https://git.example'],
  ['package.json', 'https://git.example'],
  ['vite.config.ts', 'https://git.example'],
  ['index.d.ts', 'https://git.example'],
  ['src/app.test.tsx', 'https://git.example'],
  ['styles.css', 'https://git.example'],
  ['index.html', 'https://git.example'],
  ['report.pdf', 'https://files.example/report.pdf'],
  ['figures.xlsx', 'https://files.example'],
  ['data.csv', 'https://files.example'],
  ['song.mp3', 'https://files.example'],
  ['archive.tar.gz', 'https://files.example'],
  ['docker-compose.yml', 'https://git.example'],
  ['.gitignore', 'https://git.example'],
  ['the .NET documentation', 'https://dot.example'],
  ['Wait... what?', 'https://docs.example'],
  ['See the guide. Then come back', 'https://docs.example'],
  ['First · second', 'https://docs.example'],
  ['col·legi', 'https://docs.example'],
  ['ドナルド・キーン', 'https://docs.example'],
  ['第一句。第二句', 'https://docs.example'],
  ['и т. д.', 'https://docs.example'],
  ['می\u200Cشود', 'https://docs.example'],
  ['@alice', 'https://git.example/alice'],
  ['owner/repository', 'https://git.example/owner/repository'],
  ['and/or', 'https://docs.example'],
  ['C++', 'https://docs.example'],
  ['localhost:3000', 'http://localhost:3000'],
  ['https://localhost:3000/start', 'https://localhost:3000/start'],
  ['example.com', 'https://example.com'],
  ['Example.com', 'https://example.com/'],
  ['example.com/docs', 'https://example.com/docs'],
  ['example.com/bank.com', 'https://example.com/bank.com'],
  ['https://example.com/?u=bank.com', 'https://example.com/?u=bank.com'],
  ['https://example.com:443/x', 'https://example.com/x'],
  ['www.example.com', 'https://example.com'],
  ['example.com', 'https://www.example.com'],
  ['example.com:8443', 'https://example.com:8443'],
  ['the page (example.com)', 'https://example.com/page'],
  ['**example**.com', 'https://example.com/page'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['help@example.com', 'mailto:help@example.com'],
  ['Help@Example.com', 'mailto:help@example.com?subject=Hello'],
  ['mail us', 'mailto:help@example.com?cc=boss@example.com'],
  ['+49 30 1234', 'tel:+49301234'],
  ['банк', 'https://xn--80ab2b.example'],
  ['xn--bnk-6cd.com', 'https://xn--bnk-6cd.com'],
]

describe('a link whose words read like another place', () => {
  it.each(MISLEADING)('shows its host beside %s', (_, label) => {
    const markdown = `[${label}](https://evil.test/x)`
    expect(textOf(markdown)).toMatch(/ \(evil\.test\)$/)
    expect(linksOf(markdown)).toEqual(['https://evil.test/x'])
    expect(forbiddenIn(shown(markdown))).toEqual([])
  })

  it.each(OTHERS)('shows %s', (_, markdown, text) => {
    expect(textOf(markdown).trim()).toBe(text)
    expect(linksOf(markdown)).toHaveLength(1)
  })

  it('shows it in a link that the app renders too', () => {
    const renderers = {
      link: ({ href, children }: { readonly href: string; readonly children?: ReactNode }) => (
        <a href={href}>{children}</a>
      ),
    }
    expect(renderToStaticMarkup(<Markdown text="# [bank.com](https://evil.test/x)" renderers={renderers} />)).toContain(
      '<a href="https://evil.test/x">bank.com (<bdi>evil.test</bdi>)</a>',
    )
  })

  it('costs a bounded time, however long its words are', () => {
    const url = new URL('https://evil.test')
    for (const unit of ['a.', 'a', '.', '!', ' . ', '@', '\uFDFA', 'a@', '(.', '/'])
      expect(whereItLeads(url, unit.repeat(1_000_000))).toBe('evil.test')
  })
})

describe('an honest link', () => {
  it('has at least 60 labels here', () => {
    expect(HONEST.length).toBeGreaterThanOrEqual(60)
  })

  it.each(HONEST)('shows nothing but its words: %s to %s', (label, url) => {
    expect(whereItLeads(new URL(url), label.replaceAll('*', ''), url)).toBeUndefined()
    expect(shown(`[${label}](${url})`)).not.toContain('<bdi>')
    expect(linksOf(`[${label}](${url})`)).toEqual([new URL(url).href])
  })
})

describe('a link in the words of a link', () => {
  const INNER = [
    '<https://bank.com>',
    'https://bank.com',
    'www.bank.com',
    '<me@bank.com>',
    'me@bank.com',
    '![map](https://bank.com/a.png)',
    '![](https://bank.com/a.png)',
    '[^n]',
    '*<https://bank.com>*',
    '**~~see <https://bank.com>~~**',
    '`x` <https://bank.com>',
    '![a <https://bank.com> b](https://bank.com/a.png)',
    '[inner](https://bank.com)',
  ]

  it.each(INNER)('is words: %s', (inner) => {
    const markdown = `[see ${inner} here](https://evil.test)\n\n[^n]: A note.`
    const html = shown(markdown)
    expect(forbiddenIn(html)).toEqual([])
    expect(linksOf(markdown).length).toBeGreaterThan(0)
  })

  it.each(INNER)('stays a link where the outer one leads nowhere: %s', (inner) => {
    expect(forbiddenIn(shown(`[see ${inner} here](javascript:1)\n\n[^n]: A note.`))).toEqual([])
  })

  it('is a link again where the outer one leads nowhere', () => {
    expect(linksOf('[see <https://bank.com> here](javascript:1)')).toEqual(['https://bank.com/'])
  })
})
