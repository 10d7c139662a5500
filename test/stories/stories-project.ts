import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
import type { BrowserContextOptions } from 'playwright'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import type { BrowserInstanceOption } from 'vitest/node'
import { CHROMIUM_ARGS } from '../e2e/chromium.ts'

/** Every story in four guises, each watched by axe: a story that reads badly in one of them is a failure. */
export function storiesProject(executablePath: string): TestProjectInlineConfiguration {
  const launchOptions = { executablePath, args: CHROMIUM_ARGS }
  const guise = (
    name: string,
    globals: Readonly<Record<string, string>>,
    contextOptions: BrowserContextOptions = {},
  ): BrowserInstanceOption => ({
    browser: 'chromium',
    name: `stories ${name}`,
    provide: { guise: { name, globals } },
    provider: playwright({
      launchOptions,
      contextOptions: {
        viewport: { width: 1280, height: 960 },
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
        ...contextOptions,
      },
    }),
  })
  return {
    plugins: [storybookTest({ configDir: '.storybook' })],
    test: {
      name: 'stories',
      setupFiles: ['.storybook/vitest.setup.ts', 'test/stories/pictures.ts'],
      // Stories clean up behind themselves, as they do in the catalogue: a separate page for each file takes twice as long.
      isolate: false,
      fileParallelism: false,
      testTimeout: 60_000,
      sequence: { groupOrder: 4 },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions }),
        expect: {
          toMatchScreenshot: {
            // Another version of Chromium draws edges a little differently; what a user would notice is more.
            comparatorOptions: { threshold: 0.03, allowedMismatchedPixelRatio: 0.003 },
            resolveScreenshotPath: ({ root, arg, ext }) => `${root}/test/stories/references/${arg}${ext}`,
          },
        },
        instances: [
          guise('light', {}),
          guise('dark', { theme: 'dark' }),
          guise('forced colours', {}, { forcedColors: 'active' }),
          guise('right to left', { direction: 'rtl' }),
        ],
      },
    },
  }
}
