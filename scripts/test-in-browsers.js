// npm run test:browsers [-- firefox webkit]: uses a chat on every kind of page in Firefox and in WebKitGTK, the suite that `npm test` runs in
// Chromium. A browser that is not installed is named with what it needs, and is an error where CI is set.
import { spawnSync } from 'node:child_process'
import { runnerImport } from 'vite'

const load = async (path) => (await runnerImport(new URL(path, import.meta.url).pathname, { configFile: false })).module
const { findFirefox } = await load('../test/e2e/hands/firefox-hands.ts')
const { findWebKit } = await load('../test/e2e/hands/webkit-hands.ts')

const BROWSERS = {
  firefox: { find: findFirefox, needs: 'apt-get install firefox-esr, or the path of another Firefox in FIREFOX_PATH' },
  webkit: { find: findWebKit, needs: 'apt-get install webkit2gtk-driver xvfb' },
}
const asked = process.argv.slice(2)
const names = asked.length > 0 ? asked : Object.keys(BROWSERS)
let failed = false
for (const name of names) {
  const browser = BROWSERS[name]
  if (browser === undefined)
    throw new Error(`No browser is called ${name}. There are: ${Object.keys(BROWSERS).join(', ')}.`)
  if (browser.find() === undefined) {
    console.log(`${name}: not installed (${browser.needs}). Its tests are left out.`)
    failed ||= Boolean(process.env.CI)
    continue
  }
  console.log(`${name}:`)
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', '--project', 'e2e', '--reporter', 'verbose', 'test/e2e/page-kinds.test.ts'],
    { stdio: 'inherit', env: { ...process.env, CAPSTAN_BROWSER: name } },
  )
  failed ||= status !== 0
}
process.exit(failed ? 1 : 0)
