import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGallery } from '../theming/looks.ts'
import { galleryScript, kitSheets } from '../theming/sheets.ts'
import { launchChromium } from './chromium.ts'

// capstan from right to left: every box is where a mirror would show it.

interface Box {
  readonly name: string
  readonly left: number
  readonly right: number
}

let browser: Browser
let script: string
let sheet: string

beforeAll(async () => {
  browser = await launchChromium()
  script = await galleryScript()
  sheet = (await kitSheets())['styles.css']
})

afterAll(() => browser.close())

/** Where the boxes of capstan are. What is inside of text with its own direction stays as it is read. */
function boxesOf(page: Page): Promise<readonly Box[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main [class*="cs-"]')]
      .filter(
        (element) =>
          element.parentElement?.closest('[dir="auto"], bdi, pre, .cs-json, .cs-text') === null &&
          !(element.parentElement instanceof SVGElement),
      )
      .filter((element) => getComputedStyle(element).display !== 'inline' && element.checkVisibility())
      .map((element) => {
        const { left, right } = element.getBoundingClientRect()
        const part = element.closest('[data-part]')?.getAttribute('data-part')
        return { name: `${part} ${element.localName}.${element.getAttribute('class')}`, left, right }
      }),
  )
}

describe('the parts from right to left', () => {
  it('are as in a mirror', async () => {
    const width = 1024
    const page = await openGallery(browser, [sheet], script)
    await page.$$eval('details', (all) => all.forEach((details) => details.setAttribute('open', '')))
    // Kerning across a space or a full stop depends on the direction of the text.
    await page.addStyleTag({ content: '* { font-kerning: none !important; }' })
    const before = await boxesOf(page)
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    const after = await boxesOf(page)
    await page.close()
    expect(before.length).toBeGreaterThan(400)
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
    const wrong = before.flatMap(({ name, left, right }, at) => {
      // Words are as wide either way but for the rounding of their glyphs.
      const mirrored = { left: width - right, right: width - left }
      const shown = after[at] ?? { left: Number.NaN, right: Number.NaN }
      return Math.abs(shown.left - mirrored.left) <= 2 && Math.abs(shown.right - mirrored.right) <= 2
        ? []
        : [
            `${name}: ${shown.left.toFixed(1)} to ${shown.right.toFixed(1)} instead of ${mirrored.left.toFixed(1)} to ${mirrored.right.toFixed(1)}`,
          ]
    })
    expect(wrong).toEqual([])
  })

  it('turn the shapes that point in the inline direction, and no others', async () => {
    const page = await openGallery(browser, [sheet], script)
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    const turned = await page.$$eval('svg.cs-icon', (icons) =>
      icons.map((icon) => [
        icon.hasAttribute('data-turns'),
        getComputedStyle(icon).transform === 'matrix(-1, 0, 0, 1, 0, 0)',
      ]),
    )
    await page.close()
    expect(turned.filter(([turns]) => turns).length).toBeGreaterThan(5)
    expect(turned.filter(([turns, is]) => turns !== is)).toEqual([])
  })
})
