import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differences, openGallery, propertiesOf, readLooks, WITH_ANSWERS, type Looks } from '../theming/looks.ts'
import { galleryScript, kitSheets, viteTemplate } from '../theming/sheets.ts'
import { launchChromium } from './chromium.ts'

// capstan in the app that `npm create vite` makes, whose sheet has rules for `code`, `h1`, `h2` and `p` outside of any layer.

/** What the template gives to an icon that is on the page by itself: it takes the colour around it. */
const AROUND = ':root { color: rgb(107, 99, 117); -webkit-font-smoothing: antialiased; }'
/** Inherited from the root of the page by everything on it; no part has an opinion. */
const OF_THE_PAGE = /^(color-scheme|font-synthesis-.*|text-rendering)$/

let browser: Browser
let script: string
let kit: Awaited<ReturnType<typeof kitSheets>>
let template: string
let properties: readonly string[]
let alone: Looks

async function looksWith(...sheets: readonly string[]): Promise<Looks> {
  const page = await openGallery(browser, sheets, script)
  const looks = await readLooks(page, properties, WITH_ANSWERS)
  await page.close()
  return looks
}

beforeAll(async () => {
  browser = await launchChromium()
  script = await galleryScript()
  kit = await kitSheets()
  template = await viteTemplate()
  const page = await openGallery(browser, [], script)
  properties = (await propertiesOf(page, template)).filter((name) => !OF_THE_PAGE.test(name))
  await page.close()
  alone = await looksWith(AROUND, kit['styles.css'])
})

afterAll(() => browser.close())

describe('the look of every part in the app that `npm create vite` makes', () => {
  it('is read from answers as well, and in what the template sets', () => {
    expect(properties).toEqual(expect.arrayContaining(['display', 'background-color', 'letter-spacing']))
    expect(Object.keys(alone).filter((place) => place.endsWith(' code.null')).length).toBeGreaterThan(0)
    expect(Object.keys(alone).filter((place) => place.endsWith(' h2.null')).length).toBeGreaterThan(0)
  })

  it('is its own with the sheet without layers, whichever sheet comes first', async () => {
    expect(differences(alone, await looksWith(template, kit['styles-unlayered.css']))).toEqual([])
    expect(differences(alone, await looksWith(kit['styles-unlayered.css'], template))).toEqual([])
  })

  it('is lost with the sheet with layers, which is why the guide takes the other one', async () => {
    const lost = differences(alone, await looksWith(template, kit['styles.css']))
    expect(lost.filter((line) => / code\S* \{ display: (inline-)?flex \}/.test(line)).length).toBeGreaterThan(0)
    expect(lost.filter((line) => / h2\S* \{ (font-family|color): /.test(line)).length).toBeGreaterThan(0)
  })
})
