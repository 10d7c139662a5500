import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { copyRepository, REPOSITORY } from '../../scripts/remove-protocol.ts'
import { ROOT } from './files.ts'
import { EXAMPLE, filesOfExample } from './recipe.ts'

/** Tests that the recipe must satisfy although it changes neither: every component, every story. */
const GUARDS = ['test/components.test.tsx', 'test/stories/catalogue.test.ts']

const INCOMPLETE = `The example of "How do I add a presentation event?" in CONTRIBUTING.md does not compile or does not pass its tests. A file \
that it names has changed, or another file is necessary. Apply ${EXAMPLE} with "git apply --reject", mend the change until its types and \
tests pass, write it back with "git diff --unified=1", and bring the recipe up to date.`

it('the example of the recipe for a presentation event compiles and passes its tests', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-recipe-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  copyRepository(ROOT, folder, [...REPOSITORY, '.storybook'])
  execFileSync('git', ['apply', EXAMPLE], { cwd: folder })
  const files = filesOfExample()
  const sources = files.filter((path) => /\.tsx?$/.test(path))
  writeFileSync(
    join(folder, 'recipe.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['src', 'stories/support/vite-env.d.ts', ...sources] }),
  )
  // On CI the configuration wants every project to be installed, which the copy has no folders for.
  const env = { ...process.env, CI: '' }
  const run = (program: string, words: readonly string[]): Promise<string> =>
    promisify(execFile)(join('node_modules/.bin', program), words, { cwd: folder, env }).then(
      () => '',
      (failed: { readonly stdout: string; readonly stderr: string }) => failed.stdout + failed.stderr,
    )
  expect(await run('tsc', ['-p', 'recipe.json']), INCOMPLETE).toBe('')
  const tests = files.filter((path) => /\.test\.tsx?$/.test(path))
  expect(await run('vitest', ['run', '--reporter', 'dot', '--project', 'unit', ...tests, ...GUARDS]), INCOMPLETE).toBe(
    '',
  )
}, 300_000)
