import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { ArcpClient } from '../../../../src/clients/arcp/arcp-client.ts'
import { stdioTransport } from '../../../../src/wire/stdio-transport.ts'
import { AT_ONCE } from '../../../faults/meet.ts'
import { ROOT } from '../../../layers/files.ts'

it('goes on in the next process when one is killed, with what SQLite has kept: nothing hangs, nothing runs twice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-arcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const outfile = join(folder, 'program.cjs')
  const calls = join(folder, 'calls')
  await build({
    entryPoints: [`${ROOT}test/runtime/arcp/session/sqlite-program.ts`],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    outfile,
    absWorkingDir: ROOT,
  })
  // Each connection starts the program: one that dies is followed by another one.
  const transport = stdioTransport({
    command: process.execPath,
    args: [outfile, join(folder, 'sessions.db'), calls],
    env: { ...process.env, NODE_PATH: `${ROOT}node_modules` },
  })
  const arcp = new ArcpClient({ transport, auth: { scheme: 'bearer', token: 'ada' }, retry: AT_ONCE })
  onTestFinished(() => arcp.close())

  const order = { idempotencyKey: 'order-42' }
  expect(await arcp.invoke('count', { n: 7 }, order).result).toMatchObject({ value: 7 })
  const first = (await arcp.connect()).id
  const stuck = arcp.invoke('stuck')
  const failed = stuck.result.catch((error: unknown) => error)
  await expect
    .poll(() => [...arcp.getState().streams.values()].map(({ text }) => text), { timeout: 20_000 })
    .toContain('Half of ')
  const died = arcp.invoke('die').result.catch((error: unknown) => error)

  const ended = { agentCode: 'ABORTED', message: 'The runtime was restarted while the job was running.' }
  expect(await failed).toMatchObject(ended)
  expect(await died).toMatchObject(ended)
  expect((await arcp.connect()).id).not.toBe(first)
  expect(await arcp.invoke('count', { n: 7 }, order).result).toMatchObject({ value: 7 })
  expect(readFileSync(calls, 'utf8')).toBe('7\n')
})
