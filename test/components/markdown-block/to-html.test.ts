// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { toHtml } from '../../../src/components/markdown-block/to-html.ts'
import { addAllSyntax } from '../../../src/markdown/all-syntax.ts'
import { addFootnotes } from '../../../src/markdown/view/footnotes.tsx'
import type { MathSyntax } from '../../../src/markdown/inline/tree.ts'
import { text } from '../../../stories/support/messages.ts'
import { mathSyntax } from '../../../src/markdown/math-syntax.ts'

addAllSyntax()
addFootnotes()

const htmlOf = (words: string, math?: MathSyntax): string => toHtml([text(words)], math)

describe('toHtml', () => {
  it.each([
    [
      'a table',
      '| Site | m |\n|:--|--:|\n| Ash | **4** |\n| Oak |',
      '<table><thead><tr><th align="left">Site</th><th align="right">m</th></tr></thead><tbody><tr><td align="left">Ash</td><td align="right"><strong>4</strong></td></tr><tr><td align="left">Oak</td><td align="right"></td></tr></tbody></table>',
    ],
    [
      'a table from the right',
      '| نهر | م |\n|---|---|\n| أ | 1 |',
      '<table dir="rtl"><thead><tr><th>نهر</th><th>م</th></tr></thead><tbody><tr><td>أ</td><td>1</td></tr></tbody></table>',
    ],
    [
      'headings and emphasis',
      '# One\n\n*a* __b__ ~~c~~ `d`',
      '<h1>One</h1><p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>',
    ],
    [
      'tight and loose lists',
      '3. a\n4. b\n   - c\n\n+ d\n\n+ e',
      '<ol start="3"><li>a</li><li>b<ul><li>c</li></ul></li></ol><ul><li><p>d</p></li><li><p>e</p></li></ul>',
    ],
    ['tasks', '- [x] done\n- [ ] open', '<ul><li>☑ done</li><li>☐ open</li></ul>'],
    ['code', '```ts\nif (a < b) {\n  c()\n}\n```', '<pre><code>if (a &lt; b) {\n  c()\n}</code></pre>'],
    ['a quote and a rule', '> a\n\n---', '<blockquote><p>a</p></blockquote><hr>'],
    ['breaks', 'a\nb<br>c  \nd', '<p>a\nb<br>c<br>d</p>'],
    [
      'what means itself',
      'H<sub>2</sub>O x<sup>2</sup> <kbd>K</kbd>',
      '<p>H<sub>2</sub>O x<sup>2</sup> <kbd>K</kbd></p>',
    ],
    [
      'links',
      '[a](https://a.example/?x="1"&y) https://b.example',
      '<p><a href="https://a.example/?x=%221%22&amp;y">a</a> <a href="https://b.example/">https://b.example</a></p>',
    ],
    [
      'a link whose words name another host',
      '[bank.example](https://evil.example/a)',
      '<p><a href="https://evil.example/a">bank.example (evil.example)</a></p>',
    ],
    [
      'a picture, which is not loaded',
      '![map](https://a.example/m.png)',
      '<p><a href="https://a.example/m.png">map</a></p>',
    ],
    ['marks of sources', 'They bend.[1] And[2, 3].', '<p>They bend.[1] And[2, 3].</p>'],
    [
      'footnotes',
      'a[^n] b[^m]\n\n[^m]: two\n[^n]: one',
      '<p>a<sup>1</sup> b<sup>2</sup></p><ol><li><p>one</p></li><li><p>two</p></li></ol>',
    ],
  ])('writes %s', (_, words, html) => {
    expect(htmlOf(words)).toBe(html)
  })

  it('writes formulas as they are written', () => {
    expect(htmlOf('Let $a<b$.', mathSyntax)).toBe('<p>Let $a&lt;b$.</p>')
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="alert(1)">b</b>',
    '[a](javascript:alert(1)) [b](data:text/html,x) [c](//host/a) [d](/a)',
    '![a](javascript:alert(1)) ![b" onerror="alert(1)](data:image/svg+xml,x)',
    '[a](<https://a.example/"onmouseover="alert(1)>)',
    '```html\n<script>alert(1)</script>\n```',
    '| <script> |\n|---|\n| "onload="x |',
    '<a href="https://a.example" onclick="x">a</a>',
    'a[^"><script>]\n\n[^"><script>]: <iframe>',
  ])('has no element or attribute of the text: %s', (words) => {
    const page = new DOMParser().parseFromString(htmlOf(words), 'text/html')
    expect(page.head.childElementCount).toBe(0)
    for (const { localName, attributes } of page.body.querySelectorAll('*')) {
      expect(['p', 'a', 'pre', 'code', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'sup', 'ol', 'li']).toContain(
        localName,
      )
      for (const { name, value } of attributes) {
        expect(name).toBe('href')
        expect(value).toMatch(/^https:\/\/a\.example\//)
      }
    }
  })
})
