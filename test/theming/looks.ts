import type { Browser, BrowserContextOptions, Page } from 'playwright'

/** What each element of capstan looks like, and what is before and after it: computed style by place on the page. */
export type Looks = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Opens a page with these sheets, in this order, and every part on it. */
export async function openGallery(
  browser: Browser,
  sheets: readonly string[],
  script: string,
  guise: BrowserContextOptions = {},
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1024, height: 800 }, reducedMotion: 'reduce', ...guise })
  await page.setContent('<!doctype html><html lang="en"><body style="margin: 0"></body></html>')
  for (const content of sheets) await page.addStyleTag({ content })
  await page.addScriptTag({ content: script })
  // The last one to show itself.
  await page.waitForSelector('.cs-skeleton[data-shown]')
  // The list measures itself in the first frames.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  return page
}

/** All longhand properties that a sheet sets: what it could change on a page. */
export function propertiesOf(page: Page, sheet: string): Promise<readonly string[]> {
  return page.evaluate((text) => {
    const names = new Set(['width', 'height'])
    const walk = (rules: CSSRuleList): void => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule) for (const name of rule.style) if (!name.startsWith('--')) names.add(name)
        if ('cssRules' in rule) walk(rule.cssRules as CSSRuleList)
      }
    }
    const constructed = new CSSStyleSheet()
    constructed.replaceSync(text)
    walk(constructed.cssRules)
    return [...names]
  }, sheet)
}

/** The elements of capstan that have its own class. */
const WITH_CLASS = 'main [class*="cs-"]'
/** And those of answers, which need none. */
export const WITH_ANSWERS = `${WITH_CLASS}, main .cs-md *`

/** Reads these properties of every element of capstan. Colours and kinds of edges that are not there are left out: nobody sees them. */
export function readLooks(page: Page, properties: readonly string[], elements = WITH_CLASS): Promise<Looks> {
  return page.evaluate(
    ([names, which]) => {
      const unseen = (element: Element, style: CSSStyleDeclaration, property: string): boolean => {
        // A glyph has no text of its own; what it inherits is up to where it is.
        if (element instanceof SVGElement && /^(font-|line-height|tab-size|letter-)/.test(property)) return true
        const edge = /^border-([a-z-]+)-(color|style)$/.exec(property)
        if (edge) return style.getPropertyValue(`border-${edge[1]}-width`) === '0px'
        if (property.startsWith('-webkit-border') && property.endsWith('spacing'))
          return style.borderCollapse === 'collapse'
        if (property === 'vertical-align') return !/^inline|table-cell/.test(style.display)
        return /^outline-(color|width)$/.test(property) && style.outlineStyle === 'none'
      }
      const looks: Record<string, Record<string, string>> = {}
      for (const [at, element] of [...document.querySelectorAll(which)].entries()) {
        for (const pseudo of ['', '::before', '::after', '::placeholder']) {
          const style = getComputedStyle(element, pseudo || null)
          const isThere =
            pseudo === '' ||
            (pseudo === '::placeholder' ? element.matches('textarea, input') : style.content !== 'none')
          if (!isThere) continue
          const part = element.closest('[data-part]')?.getAttribute('data-part')
          looks[`${part} ${at} ${element.localName}.${element.getAttribute('class')}${pseudo}`] = Object.fromEntries(
            names
              .filter((property) => !unseen(element, style, property))
              .map((property) => [property, style.getPropertyValue(property)]),
          )
        }
      }
      return looks
    },
    [properties, elements] as const,
  )
}

/** Where two pages differ, one line a property. */
export function differences(one: Looks, other: Looks): string[] {
  const places = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...places].flatMap((place) => {
    const [before, after] = [one[place], other[place]]
    if (before === undefined || after === undefined) return [`${place} is only on one of the pages`]
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((property) =>
      before[property] === after[property]
        ? []
        : [`${place} { ${property}: ${after[property]} } instead of ${before[property]}`],
    )
  })
}
