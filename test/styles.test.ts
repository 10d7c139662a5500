import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { gathered } from '../scripts/gathered.ts'
import { unlayered } from '../scripts/unlayered.ts'
import { readTree } from './layers/files.ts'

/** A sheet without comments, its imports replaced by what they name. */
function readSheet(url: URL): string {
  const text = readFileSync(url, 'utf8').replaceAll(/\/\*[^]*?\*\//g, '')
  return text.replaceAll(/@import '([^']+)';/g, (_, path: string) => readSheet(new URL(path, url)))
}

const sheet = readSheet(new URL('../src/styles.css', import.meta.url))

/** Every selector of the sheet, without those inside @keyframes. */
function selectors(of: string = sheet): string[] {
  const rules = of.replaceAll(/@keyframes [\w-]+ \{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '')
  return [...rules.matchAll(/([^{};]+)\{/g)]
    .map((match) => (match[1] ?? '').trim())
    .filter((selector) => !selector.startsWith('@'))
}

describe('the style sheet', () => {
  it('is one sheet of three layers, with nothing outside of them', () => {
    expect(sheet.trim()).toMatch(/^@layer capstan\.reset, capstan\.tokens, capstan\.parts;/)
    let depth = 0
    const top: string[] = []
    for (const line of sheet.split('\n')) {
      if (depth === 0 && line.trim() !== '') top.push(line.trim())
      depth += (line.match(/\{/g)?.length ?? 0) - (line.match(/\}/g)?.length ?? 0)
    }
    expect(top.filter((line) => line !== '}' && !line.startsWith('@layer'))).toEqual([])
  })

  it('weighs nothing: every selector is in :where()', () => {
    expect(selectors().length).toBeGreaterThan(150)
    const heavy = selectors().filter(
      (selector) => !/^(:where\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(::[\w-]+)?(, )?)+$/.test(selector),
    )
    expect(heavy).toEqual([])
  })

  it('reaches only its own elements, and no more of the page than variables', () => {
    // `[class*='cs-']` alone would also take `docs-table`.
    expect(selectors().filter((selector) => selector.includes("[class*='cs-']"))).toEqual([])
    const foreign = selectors().filter((selector) => !/cs-/.test(selector))
    expect([...new Set(foreign)]).toEqual([
      ':where(:root, :host)',
      ":where([data-contrast='more'])",
      ":where([data-density='compact'])",
      ":where([data-theme='light'])",
      ":where([data-theme='dark'])",
    ])
    for (const selector of foreign) {
      const body = sheet.slice(sheet.indexOf(`${selector} {`) + selector.length + 2).split('}')[0] ?? ''
      const declared = [...body.matchAll(/(?:^|;)\s*([\w-]+)\s*:/g)].map((match) => match[1])
      expect(declared.every((name) => /^--(cs|lightningcss)-/.test(name ?? ''))).toBe(true)
    }
  })

  it('uses only variables it declares', () => {
    const declared = new Set([...sheet.matchAll(/(--cs-[\w-]+)\s*:/g)].map((match) => match[1]))
    const used = new Set([...sheet.matchAll(/var\((--cs-[\w-]+)/g)].map((match) => match[1]))
    expect([...used].filter((name) => !declared.has(name))).toEqual([])
  })

  it('asks of no block in an answer where it is counted from the end, nor for a neighbour of its kind: each that comes would cost all others', () => {
    const inAnswers = selectors(readSheet(new URL('../src/markdown/markdown.css', import.meta.url)))
    expect(inAnswers.length).toBeGreaterThan(20)
    const asks = (selector: string): boolean =>
      /:nth-|\b(p|li|h[1-6]|ul|ol|pre|blockquote|hr|\*) ?[+~]|[+~] (li|\*)/.test(selector)
    expect(inAnswers.filter(asks)).toEqual([])
    expect([':where(.cs-md li + li)', ':where(.cs-md-notes p:nth-last-child(2))'].every(asks)).toBe(true)
  })

  it('looks with :has() at children and neighbours only: what is deeper is looked for in all of a conversation, for each new word', () => {
    const everywhere = ['styles', 'highlighting'].flatMap((name) =>
      selectors(readSheet(new URL(`../src/${name}.css`, import.meta.url))),
    )
    const looksDeep = (selector: string): boolean =>
      // The actions of a message are a few buttons.
      [...selector.matchAll(/(\.[\w-]+)[^\s()]*:has\((\S)/g)].some(
        ([, around, first]) => around !== '.cs-actions' && !/[>+~]/.test(first ?? ''),
      )
    expect(everywhere.filter((selector) => selector.includes(':has(')).length).toBeGreaterThan(1)
    expect(everywhere.filter(looksDeep)).toEqual([])
    expect(looksDeep(':where(.cs-chat:has(.cs-source-panel:popover-open))')).toBe(true)
  })

  it('leaves no sheet of a part out', () => {
    const parts = readdirSync(new URL('../src', import.meta.url), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.css'),
    )
    const entryPoints = parts.filter((path) => !path.includes('/'))
    const imported = entryPoints.flatMap((entryPoint) =>
      [
        ...readFileSync(new URL(`../src/${entryPoint}`, import.meta.url), 'utf8').matchAll(/@import '\.\/([^']+)'/g),
      ].map((match) => match[1] ?? ''),
    )
    // One entry point is made of the others.
    expect(
      parts.filter((path) => path.includes('/')).toSorted(),
      'Import each sheet in src/styles.css, or in the entry point it belongs to.',
    ).toEqual(imported.filter((path) => path.includes('/')).toSorted())
  })

  it('styles no class the parts do not have', () => {
    const written = new Set(
      [...readTree('src/components/'), ...readTree('src/markdown/')].flatMap(
        (file) => file.text.match(/(?<![\w.-])cs-[a-z-]+/g) ?? [],
      ),
    )
    const styled = new Set([...sheet.matchAll(/\.(cs-[a-z-]+)/g)].map((match) => match[1] ?? ''))
    expect([...styled].filter((name) => !written.has(name))).toEqual([])
  })
})

describe('the style sheet as it is built', () => {
  const built = gathered(sheet)

  it('has every rule once more, in one block for each layer and each condition', () => {
    expect(selectors(built).toSorted()).toEqual(selectors().toSorted())
    const blocks = [...built.matchAll(/@(?:layer|media|container)[^{;]+\{/g)].map(([block]) => block)
    expect(blocks.length).toBeGreaterThan(8)
    // One of more contrast is of the tokens, and none is said again.
    expect(blocks.filter((block, at) => blocks.indexOf(block) !== at)).toEqual([])
  })

  it('says what holds under a condition behind what always holds', () => {
    const parts = built.slice(built.indexOf('@layer capstan.parts {'))
    const plain = parts.lastIndexOf('\n  :where(')
    expect(plain).toBeGreaterThan(0)
    expect(parts.slice(0, plain)).not.toMatch(/@(?:media|container|supports)/)
  })
})

describe('the style sheet without layers', () => {
  const flat = unlayered(sheet)

  it('has every sheet of its own in it: next to it, rules in a layer lose to it', () => {
    const source = readFileSync(new URL('../src/styles-unlayered.css', import.meta.url), 'utf8')
    const sheets = readdirSync(new URL('../src', import.meta.url)).filter((name) => name.endsWith('.css'))
    // A theme: it sets tokens, and no rule of a part.
    const others = sheets.filter((name) => name !== 'styles-unlayered.css' && name !== 'shadcn.css')
    expect(others.length).toBeGreaterThan(3)
    expect(others.filter((name) => !source.includes(`@import './${name}';`))).toEqual([])
  })

  it('has every rule of the other one, one that takes back what the page says of elements, and no layer', () => {
    expect(flat).not.toContain('@layer')
    expect(flat.match(/\{ display: revert;/g)).toHaveLength(1)
    expect(flat.match(/\{/g)?.length).toBe(
      (sheet.match(/\{/g)?.length ?? 0) - (sheet.match(/@layer [\w.]+ \{/g)?.length ?? 0) + 1,
    )
  })

  it('weighs two element names in every rule of a part, and nothing in its tokens', () => {
    const weighed = selectors(flat).flatMap((selector) => selector.split(/, (?=:where)/))
    const light = new Set(weighed.filter((selector) => !/\):not\(cs cs\)(::[\w-]+)?$/.test(selector)))
    expect([...light].toSorted()).toEqual(
      [...new Set(selectors().filter((selector) => !selector.includes('cs-')))].toSorted(),
    )
  })
})
