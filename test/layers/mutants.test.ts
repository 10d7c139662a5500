import { execFile } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ROOT } from './files.ts'

describe('scripts/mutants.json', () => {
  it('names for each broken guard exactly one place in the sources, so that `npm run test:mutants` can break it', async () => {
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, ['scripts/test-mutants.js', '--check'], { cwd: ROOT }, (error, _output, errors) =>
        resolve(error === null ? '' : errors),
      )
    })
    expect(said).toBe('')
  })
})
