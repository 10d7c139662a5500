import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from './files.ts'
import { ENVIRONMENT_GLOBALS } from './rules.ts'

/** One forbidden import per layer, and one that is allowed. The linter must see the first and not the second. */
const PLANTED: Readonly<Record<string, readonly [forbidden: string, allowed: string]>> = {
  'src/base/a.ts': ['../wire/b.ts', './b.ts'],
  'src/wire/a.ts': ['../session/b.ts', '../base/b.ts'],
  'src/wire/b.ts': ['@microsoft/fetch-event-source', './a.ts'],
  'src/wire/fetch-event-source-transport.ts': ['react', '@microsoft/fetch-event-source'],
  'src/seam/a.ts': ['../protocols/cap/b.ts', '../base/b.ts'],
  'src/protocols/cap/a.ts': ['../a2a/b.ts', '../../seam/b.ts'],
  'src/protocols/a2a/a.ts': ['zod', 'zod/mini'],
  'src/session/a.ts': ['../protocols/cap/b.ts', '../seam/b.ts'],
  'src/state/a.ts': ['react', '../session/b.ts'],
  'src/protocols/cap/read/a.ts': ['../../a2a/b.ts', '../../../seam/b.ts'],
  'src/protocols/cap/client/a.ts': ['../../a2a/b.ts', '../read/b.ts'],
  'src/protocols/cap/hooks/a.ts': ['../../../wire/b.ts', '../../../react/b.ts'],
  'src/react/a.ts': ['../wire/b.ts', 'react'],
  'src/markdown/a.ts': ['../state/b.ts', '../base/b.ts'],
  'src/components/a.tsx': ['../protocols/cap/b.ts', './message/b.tsx'],
  'src/components/message/a.tsx': ['../../protocols/cap/b.ts', '../../seam/agent-event.ts'],
  'src/components/highlight/a.tsx': ['shiki/core', '../message/b.tsx'],
  'src/components/math/a.tsx': ['katex', '../message/b.tsx'],
  'src/components/highlight/shiki-tokenizer.ts': ['react', 'shiki/core'],
  'src/query/a.ts': ['../session/b.ts', '@tanstack/react-query'],
  'src/server/a.ts': ['node:http', '../protocols/cap/b.ts'],
  'src/server/proxy/a.ts': ['node:http', '../../protocols/cap/b.ts'],
  'src/server/wires/ag-ui/a.ts': ['../ai-sdk/b.ts', '../../http/b.ts'],
  'src/server/event-log/redis/a.ts': ['redis', '../event-log.ts'],
  'src/storage/a.ts': ['../react/b.ts', '../state/b.ts'],
  'src/storage/tabs/a.ts': ['../../react/b.ts', '../../state/b.ts'],
  'src/storage/disk/indexed-db-disk.ts': ['../../state/b.ts', 'idb'],
  'src/testing/a.ts': ['node:http', '../server/b.ts'],
  'src/testing/faulty-server.ts': ['node:fs', '../server/b.ts'],
}
const SEALED = [
  'src/base/clocks.ts',
  'src/seam/go.ts',
  'src/protocols/cap/go.ts',
  'src/session/go.ts',
  'src/state/go.ts',
  'src/storage/go.ts',
  'src/server/go.ts',
]
/** The linter cannot tell `new Date()` from `new Date(text)`; layers.test.ts can. */
const SEEN = ENVIRONMENT_GLOBALS.filter((name) => name !== 'Date()')

describe('the linter, on planted breaches of the layer table', () => {
  let folder = ''
  let report: readonly { readonly file: string; readonly rule: string; readonly message: string }[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-lint-'))
    const plant = (path: string, text: string): void => {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    copyFileSync(`${ROOT}.oxlintrc.json`, join(folder, '.oxlintrc.json'))
    for (const [path, imports] of Object.entries(PLANTED)) {
      plant(path, imports.map((from, index) => `export { name${index} } from '${from}'\n`).join(''))
    }
    for (const path of [...SEALED, 'src/base/ports/clock.ts'])
      plant(path, `export const taken = [${SEEN.join(', ')}]\n`)

    const output = await new Promise<string>((resolve) => {
      // It leaves with 1 when it has found something, which is what is asked of it here.
      execFile(`${ROOT}node_modules/.bin/oxlint`, ['--format', 'json'], { cwd: folder }, (_error, stdout) =>
        resolve(stdout),
      )
    })
    // The documented shape of oxlint's JSON report.
    const { diagnostics } = JSON.parse(output) as { diagnostics: { filename: string; code: string; message: string }[] }
    report = diagnostics.map(({ filename, code, message }) => ({ file: filename, rule: code, message }))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(Object.entries(PLANTED))('in %s sees the forbidden import and no other', (path, [forbidden]) => {
    const found = report.filter(({ file, rule }) => file === path && rule === 'eslint(no-restricted-imports)')
    expect(
      found.map(({ message }) => message),
      'Say in .oxlintrc.json what test/layers/layers.ts says: the patterns of this folder must forbid the one and allow the other.',
    ).toEqual([expect.stringContaining(`'${forbidden}'`)])
  })

  it.each(SEALED)('in %s sees every global that must come through a port', (path) => {
    const found = report.filter(({ file, rule }) => file === path && /no-restricted-(globals|properties)/.test(rule))
    expect(SEEN.filter((name) => !found.some(({ message }) => message.includes(`'${name}'`)))).toEqual([])
  })

  it('lets the port files take them', () => {
    expect(
      report.filter(({ file, rule }) => file === 'src/base/ports/clock.ts' && rule.includes('restricted')),
    ).toEqual([])
  })
})
