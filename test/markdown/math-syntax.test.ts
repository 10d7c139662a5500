import { describe, expect, it } from 'vitest'
import { mathSyntax } from '../../src/markdown/math-syntax.ts'
import { createMarkdownStream, parseMarkdown } from '../../src/markdown/parse-markdown.ts'
import { pieces } from './line-grammar.ts'
import { streamFault } from './stream-check.ts'
import { toHtml } from './to-html.ts'

const MATH = { math: mathSyntax }
const read = (text: string): string => toHtml(parseMarkdown(text, MATH)).trim()

const FORMULAS: [name: string, text: string, html: string][] = [
  ['between dollar signs', 'So $x^2$ holds.', '<p>So <math>x^2</math> holds.</p>'],
  ['beside punctuation', '($a$, "$b$")-$c$!', '<p>(<math>a</math>, &quot;<math>b</math>&quot;)-<math>c</math>!</p>'],
  ['that begins with a figure', '$2x + 1 = 5$', '<p><math>2x + 1 = 5</math></p>'],
  ['of a figure alone', 'for $5$ of them', '<p>for <math>5</math> of them</p>'],
  ['that begins with a decimal point', '$.5x$', '<p><math>.5x</math></p>'],
  ['with marks of markdown', '$a*b*c_d_e$', '<p><math>a*b*c_d_e</math></p>'],
  ['with an escaped dollar sign', '$\\text{\\$5} + x$', '<p><math>\\text{\\$5} + x</math></p>'],
  ['with brackets of a link', '$f[a](b)$', '<p><math>f[a](b)</math></p>'],
  ['as code between dollar signs', 'So $`a*b*c$d`$ holds', '<p>So <math>a*b*c$d</math> holds</p>'],
  ['in two dollar signs', 'So $$ x^2 $$ holds.', '<p>So <math display="block">x^2</math> holds.</p>'],
  ['in two dollar signs over lines', '$$a\n= b$$', '<p><math display="block">a\n= b</math></p>'],
  ['in parentheses', 'So \\(x^2\\) holds.', '<p>So <math>x^2</math> holds.</p>'],
  ['in parentheses with blanks', 'So \\( f(x) \\) holds.', '<p>So <math>f(x)</math> holds.</p>'],
  ['in parentheses beside letters', 'n\\(x\\)th', '<p>n<math>x</math>th</p>'],
  ['in brackets', 'So \\[ x_{[1]} \\] holds.', '<p>So <math display="block">x_{[1]}</math> holds.</p>'],
  ['with a line break of TeX before its mark', '\\(a\\\\\\)', '<p><math>a\\\\</math></p>'],
  ['in emphasis', '*so $a*b$ holds*', '<p><em>so <math>a*b</math> holds</em></p>'],
  ['in a link', '[so $a$](/u)', '<p><a href="/u">so <math>a</math></a></p>'],
  ['in an image, as it was written', '![so $a$](/u)', '<p><img src="/u" alt="so $a$" /></p>'],
  ['in a heading', '# So $a$', '<h1>So <math>a</math></h1>'],
  ['in an item', '- $a$\n- \\(b\\)', '<ul>\n<li><math>a</math></li>\n<li><math>b</math></li>\n</ul>'],
  ['in a quote', '> $a$', '<blockquote>\n<p><math>a</math></p>\n</blockquote>'],
  [
    'in a cell',
    '| a |\n|-|\n| $\\|a\\|$ |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><math>|a|</math></td>\n</tr>\n</tbody>\n</table>',
  ],
]

const BLOCKS: [name: string, text: string, code: string][] = [
  ['between dollar signs', '$$\na\n+ b\n\n= c\n$$', 'a\n+ b\n\n= c\n'],
  ['between brackets', '\\[\n- a\n===\n\\]', '- a\n===\n'],
  ['closed behind its last line', '$$\na\n+ b $$  ', 'a\n+ b\n'],
  ['closed by a bracket behind its last line', '\\[\na\n+ b \\]', 'a\n+ b\n'],
  ['that begins behind its mark', '$$\\begin{cases}\na\n\\end{cases}$$', '\\begin{cases}\na\n\\end{cases}\n'],
  ['that begins behind its bracket', '\\[ a\n+ b\n\\]', 'a\n+ b\n'],
  ['indented', '  $$\n   a\n  $$', ' a\n'],
  ['in a fence', '```math\na\n```', 'a\n'],
]

const TEXTS: [name: string, text: string][] = [
  ['prices', 'it costs $5 and $10'],
  ['prices with a dash', 'from $5-$10 or $5–$10'],
  ['prices with a slash', '$5/$10'],
  ['prices in a list', '$5, $10, $15'],
  ['a price before and one behind its figure', 'from $5 to 10$ each'],
  ['a price in words', '$5 million dollars$'],
  ['prices behind the figure', '5$, 10$'],
  ['prices of countries', 'US$5 and CA$6'],
  ['prices in brackets', '(~$3) and ($4)'],
  ['signs in brackets', 'USD ($) and CAD ($)'],
  ['variables of a shell', 'echo $HOME:$PATH'],
  ['a lone sign', 'a $ b'],
  ['signs with blanks', 'a $ b $ c'],
  ['a sign at the end', 'in $'],
  ['ranks of prices', '$, $$, $$$'],
  ['four signs', '$$$$'],
  ['a formula that is never closed', 'a $x + y'],
  ['one that ends in another line', 'a $x\ny$ b'],
  ['one that is too long', `a $x${'+x'.repeat(500)}$ b`],
]

describe('a formula in a line', () => {
  it.each(FORMULAS)('%s', (_, text, html) => {
    expect(read(text)).toBe(html)
  })

  it.each(FORMULAS)('comes to the same at every cut: %s', (_, text) => {
    expect(streamFault(pieces(text), MATH)).toBeUndefined()
    expect(streamFault(pieces(`${text}\n\nafter`), MATH)).toBeUndefined()
  })
})

describe('a formula on its own lines', () => {
  it.each(BLOCKS)('%s', (_, text, code) => {
    const html = `<pre><code class="language-math">${code}</code></pre>`
    expect(read(text)).toBe(html)
    expect(read(`so\n${text}\nafter`)).toBe(`<p>so</p>\n${html}\n<p>after</p>`)
    expect(read(`- so\n${text.replace(/^/gm, '  ')}`)).toContain(html)
    expect(read(text.replace(/^/gm, '> '))).toContain(html)
  })

  it.each(BLOCKS)('comes to the same at every cut: %s', (_, text) => {
    expect(streamFault(pieces(text), MATH)).toBeUndefined()
    expect(streamFault(pieces(`> so\n${text.replace(/^/gm, '> ')}\n\nafter`), MATH)).toBeUndefined()
  })

  it('is not opened by the sign that closes the formula of a paragraph', () => {
    expect(read('$$ a\n$$\n\nafter')).toBe('<p><math display="block">a</math></p>\n<p>after</p>')
  })

  it('is not opened by a price or a rank', () => {
    expect(read('$$ – moderate\n\nafter')).toBe('<p>$$ – moderate</p>\n<p>after</p>')
  })
})

describe('text that is not a formula', () => {
  it.each(TEXTS)('%s', (_, text) => {
    expect(read(text)).toBe(toHtml(parseMarkdown(text)).trim())
    expect(read(text)).toBe(`<p>${text}</p>`)
    expect(streamFault(pieces(text), MATH)).toBeUndefined()
  })

  it('stays code', () => {
    expect(read('`$a$` and `\\(b\\)`')).toBe('<p><code>$a$</code> and <code>\\(b\\)</code></p>')
    expect(read('    $$\n    a')).toBe('<pre><code>$$\na\n</code></pre>')
    expect(read('```\n$$\na\n$$\n```')).toBe('<pre><code>$$\na\n$$\n</code></pre>')
    expect(read('$a `b$ c`')).toBe('<p>$a <code>b$ c</code></p>')
    expect(read('$`a` and `b`$')).toBe('<p>$<code>a</code> and <code>b</code>$</p>')
    expect(read('$``a``$')).toBe('<p>$<code>a</code>$</p>')
  })

  it('stays escaped', () => {
    expect(read('\\$5 and $x$')).toBe('<p>$5 and <math>x</math></p>')
    expect(read('\\\\(a\\\\)')).toBe('<p>\\(a\\)</p>')
    expect(read('\\[a\\](b)')).toBe('<p>[a](b)</p>')
    expect(read('\\(never closed')).toBe('<p>(never closed</p>')
    expect(read('\\( \\)')).toBe('<p>( )</p>')
    expect(read('\\(a \\(b\\) c\\)')).toBe('<p>(a <math>b</math> c)</p>')
  })

  it('is what it was, without formulas', () => {
    expect(toHtml(parseMarkdown('$a_b_c$ \\(d\\)\n\n$$\n- e\n$$')).trim()).toBe(
      '<p>$a_b_c$ (d)</p>\n<p>$$</p>\n<ul>\n<li>e\n$$</li>\n</ul>',
    )
  })
})

describe('a formula that grows', () => {
  const shown = (text: string): string => {
    const stream = createMarkdownStream(MATH)
    stream.append(text)
    return toHtml(stream.root).trim()
  }

  it('is shown as its source until its end has come', () => {
    expect(shown('So $')).toBe('<p>So </p>')
    expect(shown('So $a_1 *b')).toBe('<p>So $a_1 *b</p>')
    expect(shown('So \\(a_1')).toBe('<p>So \\(a_1</p>')
    expect(shown('So \\(a_1\\)')).toBe('<p>So <math>a_1</math></p>')
    expect(shown('So $a$')).toBe('<p>So <math>a</math></p>')
    expect(shown('For $5-$')).toBe('<p>For $5-</p>')
    expect(shown('So $$a$')).toBe('<p>So $$a$</p>')
    expect(shown('So $$a$$')).toBe('<p>So <math display="block">a</math></p>')
  })

  it('keeps marks of markdown alive behind a price', () => {
    expect(shown('For $5 *b')).toBe('<p>For $5 <em>b</em></p>')
  })

  it('shows no mark of a block before its line is whole', () => {
    expect(shown('$$')).not.toContain('$')
    expect(shown('\\[')).not.toContain('[')
    expect(shown('$$\na')).toBe('<pre><code class="language-math">a\n</code></pre>')
  })

  it('costs what it adds, whatever is never closed', () => {
    const text = '$a '.repeat(20_000)
    expect(toHtml(parseMarkdown(text, MATH))).toContain('$a $a')
    expect(toHtml(parseMarkdown('\\(a '.repeat(20_000), MATH))).toContain('(a (a')
    expect(toHtml(parseMarkdown('$$a '.repeat(20_000), MATH))).toContain('math')
  })
})
