import { execFile } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'

describe('the public face of the package', () => {
  // After a change that is meant: npm run build && npm run api
  it('is what api/ and the reference say, so that no change of it goes unseen', async () => {
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, ['scripts/write-api-reports.js', '--check'], { cwd: ROOT }, (error, _output, errors) =>
        resolve(error === null ? '' : errors),
      )
    })
    expect(
      said,
      'The public names or their contracts changed. Meant: npm run build && npm run api, commit both folders, and say it in CHANGELOG.md. Not meant: take the export back.',
    ).toBe('')
    // It reads every declaration of the package, which takes minutes on a busy machine.
  }, 600_000)
})
