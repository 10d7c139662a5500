import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { ArcpClient } from '../../../src/protocols/arcp/client/arcp-client.ts'
import { stdioTransport } from '../../../src/wire/stdio-transport.ts'
import { AT_ONCE } from '../../faults/meet.ts'
import { ROOT } from '../../layers/files.ts'

/** A client whose connections each start the program: one that is killed is followed by another one. */
async function startProgram(): Promise<{ readonly connect: (token?: string) => ArcpClient; readonly calls: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-arcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const outfile = join(folder, 'program.cjs')
  const calls = join(folder, 'calls')
  await build({
    entryPoints: [`${ROOT}test/runtime/session/sqlite-program.ts`],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
    outfile,
    absWorkingDir: ROOT,
  })
  const transport = stdioTransport({
    command: process.execPath,
    args: [outfile, join(folder, 'sessions.db'), calls],
    env: { ...process.env, NODE_PATH: `${ROOT}node_modules` },
  })
  const connect = (token = 'ada'): ArcpClient => {
    const arcp = new ArcpClient({ transport, auth: { scheme: 'bearer', token }, retry: AT_ONCE })
    onTestFinished(() => arcp.close())
    return arcp
  }
  return { connect, calls }
}

it('continues in the next process when one is killed, with what SQLite has kept: nothing hangs, nothing runs twice', async () => {
  const { connect, calls } = await startProgram()
  const arcp = connect()
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

/** Has the program kill itself with SIGKILL. Resolves when the next one has told how that job ended. */
const kill = (arcp: ArcpClient): Promise<unknown> => arcp.invoke('die').result.catch((error: unknown) => error)

it('keeps artifacts of a process that is killed: they are fetched, released and private as before', async () => {
  const { connect } = await startProgram()
  const arcp = connect()
  const put = await arcp.putArtifact('Grüße', { mediaType: 'text/plain' })
  const { value } = await arcp.invoke('draw', { text: 'A bend' }).result
  // A tool gives what it returns.
  const drawn = value as { readonly artifact_id: string }
  expect(await kill(arcp)).toMatchObject({ agentCode: 'ABORTED' })

  const textOf = async (client: ArcpClient, id: string) =>
    new TextDecoder().decode((await client.fetchArtifact(id)).content)
  expect(await textOf(arcp, put.artifact_id)).toBe('Grüße')
  expect(await textOf(arcp, drawn.artifact_id)).toBe('A bend')
  await arcp.releaseArtifact(put.artifact_id)
  await kill(arcp)
  await expect(arcp.fetchArtifact(put.artifact_id)).rejects.toMatchObject({ code: 'not_found' })
  arcp.close()

  // Another page of the user, which has resumed nothing, and somebody else.
  const other = connect()
  expect(await textOf(other, drawn.artifact_id)).toBe('A bend')
  other.close()
  await expect(connect('bob').fetchArtifact(drawn.artifact_id)).rejects.toMatchObject({ code: 'not_found' })
})

it('shows a subscriber what a process logged that is killed, each message once, and that its jobs have failed', async () => {
  const { connect } = await startProgram()
  const arcp = connect()
  const filter = { types: ['job.completed', 'job.failed'] }
  const seen: string[] = []
  await arcp.subscribe(filter, { onMessage: ({ type, id }) => void seen.push(`${type} ${id}`) }).accepted
  await arcp.invoke('count', { n: 1 }).result
  await kill(arcp)
  await arcp.invoke('count', { n: 2 }).result
  const types = (): string[] => seen.map((each) => each.split(' ')[0] ?? '')
  await expect.poll(types, { timeout: 20_000 }).toEqual(['job.completed', 'job.failed', 'job.completed'])
  expect(new Set(seen).size).toBe(3)
  arcp.close()

  // A page that knows no session of before finds what its user may see of them.
  const later = connect()
  const found: string[] = []
  const complete = new Promise<void>((resolve) =>
    later.subscribe(filter, {
      after: '',
      onMessage: ({ type, id }) => void found.push(`${type} ${id}`),
      onBackfilled: resolve,
    }),
  )
  await complete
  expect(found).toEqual(seen)
  later.close()
  const bob = connect('bob')
  const others: string[] = []
  await new Promise<void>((resolve) => {
    bob.subscribe(filter, { after: '', onMessage: ({ id }) => void others.push(id), onBackfilled: resolve })
  })
  expect(others).toEqual([])
})
