import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kitSheets, withTailwind4 } from '../theming/sheets.ts'
import { contrastOf } from '../theming/tokens.ts'
import { launchChromium } from './chromium.ts'

// capstan/shadcn.css: themes as shadcn's own tool writes them, in the forms of Tailwind 3 and 4.

type Theme = Readonly<Record<string, string>>

const WHOLE: { readonly light: Theme; readonly dark: Theme } = {
  light: {
    radius: '0.625rem',
    background: 'oklch(1 0 0)',
    foreground: 'oklch(0.145 0 0)',
    card: 'oklch(1 0 0)',
    popover: 'oklch(1 0 0)',
    primary: 'oklch(0.205 0 0)',
    'primary-foreground': 'oklch(0.985 0 0)',
    secondary: 'oklch(0.97 0 0)',
    muted: 'oklch(0.97 0 0)',
    'muted-foreground': 'oklch(0.556 0 0)',
    accent: 'oklch(0.97 0 0)',
    destructive: 'oklch(0.577 0.245 27.325)',
    border: 'oklch(0.922 0 0)',
    input: 'oklch(0.922 0 0)',
    ring: 'oklch(0.708 0 0)',
  },
  dark: {
    background: 'oklch(0.145 0 0)',
    foreground: 'oklch(0.985 0 0)',
    card: 'oklch(0.205 0 0)',
    popover: 'oklch(0.205 0 0)',
    primary: 'oklch(0.922 0 0)',
    'primary-foreground': 'oklch(0.205 0 0)',
    secondary: 'oklch(0.269 0 0)',
    muted: 'oklch(0.269 0 0)',
    'muted-foreground': 'oklch(0.708 0 0)',
    accent: 'oklch(0.269 0 0)',
    destructive: 'oklch(0.704 0.191 22.216)',
    border: 'oklch(1 0 0 / 10%)',
    input: 'oklch(1 0 0 / 15%)',
    ring: 'oklch(0.556 0 0)',
  },
}

const TRIPLETS: typeof WHOLE = {
  light: {
    radius: '0.5rem',
    background: '0 0% 100%',
    foreground: '222.2 84% 4.9%',
    card: '0 0% 100%',
    popover: '0 0% 100%',
    primary: '221.2 83.2% 53.3%',
    'primary-foreground': '210 40% 98%',
    secondary: '210 40% 96.1%',
    muted: '210 40% 96.1%',
    'muted-foreground': '215.4 16.3% 46.9%',
    accent: '210 40% 96.1%',
    destructive: '0 84.2% 60.2%',
    border: '214.3 31.8% 91.4%',
    input: '214.3 31.8% 91.4%',
    ring: '221.2 83.2% 53.3%',
  },
  dark: {
    background: '222.2 84% 4.9%',
    foreground: '210 40% 98%',
    card: '222.2 84% 4.9%',
    popover: '222.2 84% 4.9%',
    primary: '217.2 91.2% 59.8%',
    'primary-foreground': '222.2 47.4% 11.2%',
    secondary: '217.2 32.6% 17.5%',
    muted: '217.2 32.6% 17.5%',
    'muted-foreground': '215 20.2% 65.1%',
    accent: '217.2 32.6% 17.5%',
    destructive: '0 62.8% 30.6%',
    border: '217.2 32.6% 17.5%',
    input: '217.2 32.6% 17.5%',
    ring: '224.3 76.3% 48%',
  },
}

function rule(selector: string, theme: Theme): string {
  return `${selector} { ${Object.entries(theme)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ')} }`
}

const sheetOf = ({ light, dark }: typeof WHOLE): string =>
  `@layer base { ${rule(':root', light)} ${rule('.dark', dark)} }`

let browser: Browser
let kit: Awaited<ReturnType<typeof kitSheets>>

beforeAll(async () => {
  browser = await launchChromium()
  kit = await kitSheets()
})

afterAll(() => browser.close())

interface Guise {
  readonly dark?: boolean
  readonly more?: boolean
  readonly sheets?: readonly string[]
}

/** A page in a theme; `dark` as shadcn says it, on an element around the parts. */
async function open(
  theme: typeof WHOLE,
  { dark = false, more = false, sheets = [kit['styles.css'], kit['shadcn.css']] }: Guise = {},
): Promise<Page> {
  const page = await browser.newPage()
  await page.setContent(
    '<!doctype html><html lang="en"><body><section class="cs-part cs-chat"><div class="cs-part cs-banner"></div></section></body></html>',
  )
  for (const content of [sheetOf(theme), ...sheets]) await page.addStyleTag({ content })
  await page.evaluate(
    ([isDark, isMore]) => {
      if (isDark) document.body.classList.add('dark')
      if (isMore) document.body.dataset['contrast'] = 'more'
    },
    [dark, more] as const,
  )
  return page
}

/** Colours of the page as sRGB bytes with alpha, whatever form they were written in. */
function bytesOf(page: Page, colours: readonly string[]): Promise<readonly (readonly number[])[]> {
  return page.evaluate((names) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    return names.map((colour) => {
      const probe = document.createElement('i')
      probe.style.color = colour
      document.querySelector('.cs-banner')?.append(probe)
      if (canvas === null) throw new Error('This browser has no canvas.')
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = getComputedStyle(probe).color
      canvas.fillRect(0, 0, 1, 1)
      probe.remove()
      return [...canvas.getImageData(0, 0, 1, 1).data]
    })
  }, colours)
}

const FOLLOWS = {
  page: 'background',
  sunken: 'muted',
  raised: 'card',
  fill: 'secondary',
  code: 'muted',
  border: 'border',
  ink: 'foreground',
  'ink-3': 'muted-foreground',
  primary: 'primary',
  'on-primary': 'primary-foreground',
  accent: 'primary',
  'accent-soft': 'accent',
}

describe.each([
  ['whole colours, as with Tailwind 4', WHOLE, (value: string) => value],
  ['bare triplets, as with Tailwind 3', TRIPLETS, (value: string) => `hsl(${value})`],
] as const)('a theme of %s', (_, theme, colour) => {
  it.each(['light', 'dark'] as const)('gives its colours to capstan in %s', async (scheme) => {
    const page = await open(theme, { dark: scheme === 'dark' })
    const inked = await bytesOf(
      page,
      Object.keys(FOLLOWS).map((token) => `var(--cs-${token})`),
    )
    const given = await bytesOf(
      page,
      Object.values(FOLLOWS).map((name) => colour(theme[scheme][name] ?? '')),
    )
    // A translucent colour is rounded with its alpha twice; all others to the byte.
    for (const [at, bytes] of inked.entries())
      for (const [channel, byte] of bytes.entries())
        expect(Math.abs(byte - (given[at]?.[channel] ?? -99))).toBeLessThanOrEqual(1)
    await page.close()
  })

  it('is what parts are painted with, and corners too', async () => {
    const page = await open(theme, { dark: true })
    const looks = await page.$eval('.cs-chat', (chat) => getComputedStyle(chat).backgroundColor)
    expect(await bytesOf(page, [looks])).toEqual(await bytesOf(page, [colour(theme.dark['background'] ?? '')]))
    expect(await page.$eval('.cs-banner', (banner) => getComputedStyle(banner).borderTopLeftRadius)).toBe(
      `${Number.parseFloat(theme.light['radius'] ?? '') * 16 * 1.2}px`,
    )
    expect(await page.$eval('.cs-chat', (chat) => getComputedStyle(chat).colorScheme)).toBe('dark')
    await page.close()
  })

  it.each([
    ['light', false, 4.5],
    ['dark', false, 4.5],
    ['light', true, 7],
    ['dark', true, 7],
  ] as const)('can be read in %s (more contrast: %s)', async (scheme, more, least) => {
    const page = await open(theme, { dark: scheme === 'dark', more })
    const read = async (ink: string, ground: string): Promise<number> => {
      const [[red = 0, green = 0, blue = 0, alpha = 0] = [], other = []] = await bytesOf(page, [
        `var(--cs-${ink})`,
        `var(--cs-${ground})`,
      ])
      // As it shows: a translucent edge over its ground.
      const shown = [red, green, blue].map((byte, at) => (byte * alpha + (other[at] ?? 0) * (255 - alpha)) / 255)
      return contrastOf(shown, other.slice(0, 3))
    }
    const faint: string[] = []
    // What a theme's own text colour can do on its own grounds is the theme's; what is mixed here is ours.
    const pairs = [
      ['ink', 'page'],
      ['ink', 'fill'],
      ['ink-2', 'page'],
      ['ink-2', 'raised'],
      ['ink-2', 'fill'],
      ['danger', 'page'],
      ['danger', 'danger-soft'],
      ['ink', 'selection'],
      ['ink', 'danger-soft'],
    ] as const
    for (const [ink, ground] of pairs) {
      const contrast = await read(ink, ground)
      if (contrast < (ground === 'selection' ? 4.5 : least)) faint.push(`${ink} on ${ground}: ${contrast.toFixed(2)}`)
    }
    for (const ground of ['page', 'raised'])
      for (const edge of ['border-strong', 'focus']) {
        const contrast = await read(edge, ground)
        if (contrast < 3) faint.push(`${edge} on ${ground}: ${contrast.toFixed(2)}`)
      }
    expect(faint).toEqual([])
    await page.close()
  })
})

describe('the bridge', () => {
  it.each<[string, () => readonly string[] | Promise<readonly string[]>]>([
    [
      'in a layer of Tailwind 4',
      async () => [
        await withTailwind4(
          "@import 'tailwindcss'; @import 'capstan/styles.css' layer(components); @import 'capstan/shadcn.css' layer(components);",
        ),
      ],
    ],
    ['before the sheet with layers', () => [kit['shadcn.css'], kit['styles.css']]],
    ['before the sheet without layers', () => [kit['shadcn.css'], kit['styles-unlayered.css']]],
    ['after the sheet without layers', () => [kit['styles-unlayered.css'], kit['shadcn.css']]],
  ])('works %s', async (_, sheets) => {
    const page = await open(WHOLE, { dark: true, sheets: await sheets() })
    expect(await bytesOf(page, ['var(--cs-page)'])).toEqual(await bytesOf(page, [WHOLE.dark['background'] ?? '']))
    await page.close()
  })

  it('gives way to a token the page sets itself', async () => {
    const page = await open(WHOLE, {
      sheets: [':root { --cs-accent: rgb(1, 2, 3) }', kit['styles.css'], kit['shadcn.css']],
    })
    expect(await bytesOf(page, ['var(--cs-accent)'])).toEqual([[1, 2, 3, 255]])
    await page.close()
  })
})
