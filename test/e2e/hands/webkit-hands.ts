import { clickActions, keyActions, typeActions } from './key-actions.ts'
import type { Hand } from './hands.ts'
import type { Program } from './program.ts'
import { findFile, startProgram } from './program.ts'

/** A display that is not shown: WebKitGTK has no mode without a window. */
const DISPLAY = ':97'
const BROWSERS = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu'].flatMap((folder) =>
  ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0'].map((name) => `${folder}/${name}/MiniBrowser`),
)

/** The driver of WebKitGTK, its browser and a display, where this machine has all of them. */
export function findWebKit():
  | { readonly driver: string; readonly browser: string; readonly display: string }
  | undefined {
  const driver = process.env['WEBKIT_DRIVER_PATH'] ?? findFile(['/usr/bin/WebKitWebDriver'])
  const browser = process.env['WEBKIT_PATH'] ?? findFile(BROWSERS)
  const display = findFile(['/usr/bin/Xvfb'])
  return driver && browser && display ? { driver, browser, display } : undefined
}

/** WebKitGTK by WebDriver. */
export async function webKitHands({
  driver,
  browser,
  display,
}: NonNullable<ReturnType<typeof findWebKit>>): Promise<Hand> {
  const programs: Program[] = [
    await startProgram(display, () => [DISPLAY, '-screen', '0', '1280x800x24', '-nolisten', 'tcp']),
  ]
  const port = 20_000 + (process.pid % 20_000)
  programs.push(
    await startProgram(driver, () => [`--port=${port}`], {
      DISPLAY,
      GDK_BACKEND: 'x11',
      NO_AT_BRIDGE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    }),
  )
  const origin = `http://127.0.0.1:${port}`
  await untilListening(origin)
  const { sessionId } = (await call(origin, 'POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
        timeouts: { script: 60_000 },
      },
    },
  })) as { readonly sessionId: string }
  const send = (method: string, path: string, body?: object): Promise<unknown> =>
    call(origin, method, `/session/${sessionId}${path}`, body)
  const perform = async (...actions: readonly object[]): Promise<void> => {
    await send('POST', '/actions', { actions })
  }
  return {
    pagesAtOnce: 1,
    async openPage() {
      return {
        async open(url) {
          await send('POST', '/url', { url })
        },
        // The caller knows what its own script returns.
        evaluate: async <Result>(body: string) =>
          (await send('POST', '/execute/async', {
            script: `const done = arguments[0]; (async () => { ${body} })().then((value) => done({ value }), (error) => done({ error: String(error) }))`,
            args: [],
          }).then((answer) => {
            const { value, error } = answer as { readonly value?: unknown; readonly error?: string }
            if (error !== undefined) throw new Error(error)
            return value
          })) as Result,
        click: (x, y) => perform(clickActions(x, y)),
        press: (keys) => perform(keyActions(keys)),
        type: (text) => perform(typeActions(text)),
        async close() {
          await send('POST', '/url', { url: 'about:blank' })
        },
      }
    },
    async close() {
      await send('DELETE', '').catch(() => {})
      for (const program of programs.toReversed()) await program.end()
    },
  }
}

async function call(origin: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(origin + path, { method, body: body === undefined ? null : JSON.stringify(body) })
  // Every answer of WebDriver is an object with a value.
  const { value } = (await response.json()) as { readonly value: unknown }
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value).slice(0, 500)}`)
  return value
}

async function untilListening(origin: string): Promise<void> {
  for (let left = 200; ; left -= 1) {
    try {
      await call(origin, 'GET', '/status')
      return
    } catch (error) {
      if (left === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
