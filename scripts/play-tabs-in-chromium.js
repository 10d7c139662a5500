// npm run test:tabs-chromium [-- --rounds 200 --seed 1 --only 17]: plays one conversation in up to four tabs of a real Chromium, in rounds that
// follow from the seed, and looks whether a message is lost or doubled, or an answer erased. `--only` plays that round alone.
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { runnerImport } from 'vite'

/** Contexts at once: mostly they wait. */
const AT_ONCE = 7

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const load = async (path) => (await runnerImport(new URL(path, import.meta.url).pathname, { configFile: false })).module
const { CHROMIUM_ARGS, findChromium } = await load('../test/e2e/chromium.ts')
const executablePath = findChromium()
if (executablePath === undefined) {
  console.log('No Chromium found (see CHROMIUM_PATH): no round is played.')
  process.exit(process.env.CI ? 1 : 0)
}
const { playTabRounds } = await load('../test/e2e/tab-rounds.ts')

const seed = Number(values.seed)
const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS })
const begun = performance.now()
const { played, met, failures } = await playTabRounds({
  browser,
  seed,
  count: Number(values.rounds),
  atOnce: AT_ONCE,
  only: values.only === undefined ? undefined : Number(values.only),
  onFailed: ({ index, round, words }) =>
    console.error(
      `\nRound ${index} broke a promise: ${words}\n--seed ${seed} --only ${index}\n${JSON.stringify(round)}`,
    ),
  onPlayed: (count) => (count % 10 === 0 ? console.error(`${count} rounds`) : undefined),
})
await browser.close()
console.log(
  `${played} rounds from seed ${seed} in ${((performance.now() - begun) / 1000).toFixed(0)} s: ${failures.length} broke a promise.`,
)
for (const [what, times] of Object.entries(met).toSorted(([, a], [, b]) => b - a))
  console.log(`${String(times).padStart(9)}  ${what}`)
if (failures.length > 0)
  console.error(
    `Rounds that broke a promise: ${failures
      .map(({ index }) => index)
      .toSorted((a, b) => a - b)
      .join(', ')}`,
  )
process.exit(failures.length === 0 ? 0 : 1)
