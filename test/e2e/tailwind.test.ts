import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Looks } from '../theming/looks.ts'
import { differences, openGallery, propertiesOf, readLooks } from '../theming/looks.ts'
import { galleryScript, kitSheets, withTailwind3, withTailwind4 } from '../theming/sheets.ts'
import { launchChromium } from './chromium.ts'

// capstan beside the resets of other people: every part looks as it does alone, and what a host gives by className wins.
// The ways to load it are those of docs/theming.md.

const TAILWIND_4 = ["@import 'tailwindcss';", "@import 'capstan/styles.css' layer(components);"].join('\n')
const TAILWIND_3 = '@tailwind base; @tailwind components; @tailwind utilities;'
/** As one sheet, with capstan where its import is. */
const layeredTailwind3 = (styles: string): string =>
  `@layer tailwind-base, capstan; ${styles} @layer tailwind-base { @tailwind base; } @tailwind components; @tailwind utilities;`
const RESET = `
  * { margin: 0; padding: 0; box-sizing: border-box; border: 0 solid red; }
  ul, ol { list-style: none; }
  button, input, textarea { background: red; border: 3px solid; font: 30px serif; }
  a { color: red; }
  img, svg { display: inline; width: 3px; }
  h1, h2, h3 { font-size: 99px; font-weight: 400; }
  table { border-collapse: separate; border-spacing: 9px; }
`
const UTILITIES = [
  'm-[7px]',
  'p-[9px]',
  'text-[21px]',
  'bg-[#123456]',
  'rounded-[3px]',
  'border-[5px]',
  'tracking-[1px]',
]

/** Inherited from the root of the page by everything on it; no part has an opinion. */
const OF_THE_PAGE = /^(text-size-adjust|-webkit-tap-highlight-color)$/

let browser: Browser
let script: string
let kit: Awaited<ReturnType<typeof kitSheets>>
let properties: readonly string[]
let alone: Looks

/** The sheets with layers, as one. */
const layered = (): string => kit['styles.css']

async function looksWith(...sheets: readonly string[]): Promise<Looks> {
  const page = await openGallery(browser, sheets, script)
  const looks = await readLooks(page, properties)
  await page.close()
  return looks
}

beforeAll(async () => {
  browser = await launchChromium()
  script = await galleryScript()
  kit = await kitSheets()
  const page = await openGallery(browser, [], script)
  const foreign = (await withTailwind4("@import 'tailwindcss';")) + (await withTailwind3(TAILWIND_3)) + RESET
  properties = (await propertiesOf(page, foreign)).filter((name) => !OF_THE_PAGE.test(name))
  await page.close()
  alone = await looksWith(layered())
})

afterAll(() => browser.close())

describe('the look of every part', () => {
  it('is read from many elements', () => {
    expect(properties).toContain('border-top-width')
    expect(Object.keys(alone).length).toBeGreaterThan(500)
  })

  it('is the same without layers', async () => {
    expect(differences(alone, await looksWith(kit['styles-unlayered.css']))).toEqual([])
  })

  it('is the same in Tailwind 4, in its layer of components', async () => {
    expect(differences(alone, await looksWith(await withTailwind4(TAILWIND_4)))).toEqual([])
  })

  it('is the same in Tailwind 3 without layers, whichever sheet comes first', async () => {
    const tailwind = await withTailwind3(TAILWIND_3)
    expect(differences(alone, await looksWith(tailwind, kit['styles-unlayered.css']))).toEqual([])
    expect(differences(alone, await looksWith(kit['styles-unlayered.css'], tailwind))).toEqual([])
  })

  it('is the same in Tailwind 3 whose base is in a layer', async () => {
    expect(differences(alone, await looksWith(await withTailwind3(layeredTailwind3(layered()))))).toEqual([])
  })

  it('is the same beside a reset of all elements without layers, whichever sheet comes first', async () => {
    expect(differences(alone, await looksWith(RESET, kit['styles-unlayered.css']))).toEqual([])
    expect(differences(alone, await looksWith(kit['styles-unlayered.css'], RESET))).toEqual([])
  })

  it('is lost where a reset without layers meets the sheet with layers, which is why there is the other one', async () => {
    expect(
      differences(alone, await looksWith(kit['styles.css'], await withTailwind3(TAILWIND_3))).length,
    ).toBeGreaterThan(100)
  })
})

describe('what a host gives by className', () => {
  it.each<[string, () => Promise<readonly string[]>]>([
    ['Tailwind 4', async () => [await withTailwind4(TAILWIND_4, UTILITIES)]],
    [
      'Tailwind 3 after the sheet without layers',
      async () => [kit['styles-unlayered.css'], await withTailwind3(TAILWIND_3, UTILITIES)],
    ],
    [
      'Tailwind 3 before the sheet without layers',
      async () => [await withTailwind3(TAILWIND_3, UTILITIES), kit['styles-unlayered.css']],
    ],
    ['Tailwind 3 with its base in a layer', async () => [await withTailwind3(layeredTailwind3(layered()), UTILITIES)]],
  ])('wins over every part in %s', async (_, sheets) => {
    const page = await openGallery(browser, await sheets(), script)
    const given = await page.$$eval('.given', (elements) =>
      elements.map((element) => {
        const style = getComputedStyle(element)
        const read = [
          'marginTop',
          'paddingLeft',
          'fontSize',
          'backgroundColor',
          'borderTopLeftRadius',
          'borderTopWidth',
          'letterSpacing',
        ] as const
        return `${element.closest('[data-part]')?.getAttribute('data-part')}: ${read.map((name) => style[name]).join(' ')}`
      }),
    )
    await page.close()
    expect(given.length).toBeGreaterThan(15)
    expect(given.filter((line) => !line.endsWith(': 7px 9px 21px rgb(18, 52, 86) 3px 5px 1px'))).toEqual([])
  })
})
