/** What hostile and friendly texts of one paragraph are made of. */
export const SNIPPETS: readonly string[] = [
  '*',
  '**',
  '***',
  '_',
  '__',
  '~',
  '~~',
  '`',
  '``',
  '[',
  ']',
  '![',
  '](',
  '](/u)',
  '](/u "t")',
  '](<u v>)',
  '][ref]',
  '[]',
  '[ref]',
  '[^1]',
  '[^no]',
  '(',
  ')',
  '<',
  '>',
  '<a b="c">',
  '</a>',
  '<!-- c -->',
  '<!--',
  '<http://x.y>',
  '<a@b.c>',
  '&',
  '&amp;',
  '&#35;',
  '&nope;',
  '\\',
  '\\*',
  '\\\n',
  '\n',
  '  \n',
  ' ',
  ' ',
  ' ',
  ' a ',
  ' word ',
  'foo',
  'bar',
  'é',
  '😀',
  '“',
  '.',
  '!',
  ',',
  '1',
  'www.a.b',
  'https://a.b/c',
  'a@b.cd',
  ':',
  '"',
  "'",
  '**bold** ',
  '*em* ',
  '`code` ',
  '[te xt](/u) ',
  '[a [b] c',
  ' x y z ',
  '~5 ',
  '\t',
]

/** Texts out of the snippets, always the same ones for one seed. */
export function* randomTexts(seed: number, count: number, longest: number, snippets = SNIPPETS): Generator<string> {
  let state = seed
  const random = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  for (let made = 0; made < count; made++) {
    let text = ''
    for (let left = 2 + random(longest - 1); left > 0; left--) text += snippets[random(snippets.length)] ?? ''
    yield text
  }
}
