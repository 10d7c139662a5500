import { chromiumHands } from './chromium-hands.ts'
import { findFirefox, firefoxHands } from './firefox-hands.ts'
import type { Hand } from './hands.ts'
import { findWebKit, webKitHands } from './webkit-hands.ts'

/** The browser that `CAPSTAN_BROWSER` names. @default `chromium` */
export function openHand(): Promise<Hand> {
  switch (process.env['CAPSTAN_BROWSER'] ?? 'chromium') {
    case 'firefox': {
      const path = findFirefox()
      if (path !== undefined) return firefoxHands(path)
      break
    }
    case 'webkit': {
      const paths = findWebKit()
      if (paths !== undefined) return webKitHands(paths)
      break
    }
    case 'chromium':
      return chromiumHands()
  }
  throw new Error(`${process.env['CAPSTAN_BROWSER']} is not installed: npm run test:browsers says what it needs.`)
}
