import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { copyRepository, PROTOCOLS, removeProtocol } from '../../scripts/remove-protocol.ts'
import { ROOT } from './files.ts'

/** Where a protocol is named outside of its folders and entry points: one row or one re-export each. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  a2a: ['react.ts', 'schemas.ts'],
  'ag-ui': ['server/handler/answer-foreign.ts', 'server/proxy/agent-proxy.ts', 'server/wires/wire.ts'],
  'ai-sdk': ['server/handler/answer-foreign.ts', 'server/proxy/agent-proxy.ts', 'server/wires/wire.ts'],
  arcp: ['react.ts', 'schemas.ts'],
}

describe('a protocol beside CAP', () => {
  it.each(Object.keys(PROTOCOLS))(
    'can be deleted: the sources without %s have their types',
    async (name) => {
      const folder = mkdtempSync(join(tmpdir(), 'capstan-without-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      copyRepository(ROOT, folder, ['src', 'package.json', 'tsconfig.json'])
      expect(removeProtocol(name, folder)).toEqual(NAMED[name])
      writeFileSync(join(folder, 'sources.json'), JSON.stringify({ extends: './tsconfig.json', include: ['src'] }))
      const { stdout } = await promisify(execFile)('node_modules/.bin/tsc', ['-p', 'sources.json'], {
        cwd: folder,
      }).catch((failed: { readonly stdout: string }) => failed)
      expect(stdout).toBe('')
    },
    300_000,
  )
})
