import { launchChromium } from '../chromium.ts'
import type { Hand } from './hands.ts'

/** Chromium by Playwright: each page is in its own context, with its own focus. */
export async function chromiumHands(): Promise<Hand> {
  const browser = await launchChromium()
  return {
    pagesAtOnce: 3,
    async openPage() {
      const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
      const page = await context.newPage()
      // A window that the page opens has what a user works with.
      let used = page
      page.on('popup', (popup) => (used = popup))
      return {
        async open(url) {
          await page.goto(url)
        },
        evaluate: (body) => page.evaluate(`(async () => { ${body} })()`),
        async click(x, y) {
          await used.mouse.move(x, y)
          await used.mouse.click(x, y)
        },
        press: (keys) => used.keyboard.press(keys),
        type: (text) => used.keyboard.type(text),
        close: () => context.close(),
      }
    },
    close: () => browser.close(),
  }
}
