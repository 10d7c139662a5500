import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly failureMessages: readonly string[]
      readonly meta: { readonly log?: readonly string[] }
    }[]
  }[]
}

const ADVICE = `Four files of test/support/worker-cases, two of jsdom and two of Node, run in one worker for each environment, and the setup \
file gives each its own modules. Look at test/support/clean-up.ts and decision 056.`

it('gives each file modules and its own hooks, where several share a worker', async () => {
  const { stdout } = await run(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/support/worker-cases/config.ts', '--reporter=json'],
    { env: { ...process.env, VITEST: '' } },
  ).catch((error: { readonly stdout: string }) => error) // It leaves with 1 when a case failed, which the report says.
  const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report
  const cases = testResults.flatMap(({ assertionResults }) => assertionResults)
  expect(
    cases.map(({ failureMessages }) => failureMessages),
    ADVICE,
  ).toEqual([[], [], [], []])
  const first = ['hook', 'test']
  const second = [...first, ...first]
  const logs = cases.map(({ meta: { log = [] } }) => log).toSorted((one, other) => one.length - other.length)
  expect(logs, ADVICE).toEqual([first, first, second, second])
})
