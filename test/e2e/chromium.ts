import { existsSync } from 'node:fs'
import type { Browser } from 'playwright'

const PLACES = ['/usr/bin/chromium', '/usr/bin/google-chrome']

/** What Chromium is started with: no window, no request of its own. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Where this machine has Chromium: `CHROMIUM_PATH` when set, else a usual place, else undefined. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH']
  return named ? named : PLACES.find((path) => existsSync(path))
}

/** Starts this machine's Chromium without a window. Close it in `afterAll`. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) {
    throw new Error(`No Chromium found (${PLACES.join(', ')}). Install it, or name it in CHROMIUM_PATH.`)
  }
  // Loaded here, because vitest.config.ts asks for findChromium() before every run.
  const { chromium } = await import('playwright')
  return chromium.launch({ executablePath, args: CHROMIUM_ARGS })
}
