import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, preview, type InlineConfig } from 'vite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { playgroundServer } from '../../../playground/server/plugin.ts'
import { allPackets, post, serve, textOf } from '../../server/peer.ts'

let root = ''
const closing: (() => Promise<void>)[] = []

beforeEach(async () => {
  // The plugin keeps out of test runners; here it is what is tested.
  vi.stubEnv('VITEST', '')
  root = await mkdtemp(join(tmpdir(), 'capstan-playground-'))
  for (const folder of ['playground', 'dist/playground', 'docs']) await mkdir(join(root, folder), { recursive: true })
  await writeFile(join(root, 'README.md'), '# Boats\n\nA boat floats.\n')
  await writeFile(join(root, 'playground/index.html'), '<!doctype html><title>dev page</title>')
  await writeFile(join(root, 'dist/playground/index.html'), '<!doctype html><title>built page</title>')
})

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await rm(root, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

const config = (): InlineConfig => ({
  configFile: false,
  root,
  logLevel: 'silent',
  plugins: [playgroundServer()],
  optimizeDeps: { noDiscovery: true },
  build: { outDir: 'dist' },
})

describe('the playground in vite', () => {
  it('serves its page at the root, the agent and the docs next to it, and reads changed pages', async () => {
    const server = await createServer({ ...config(), server: { port: 0, host: '127.0.0.1', ws: false } })
    closing.push(() => server.close())
    await server.listen()
    const origin = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
    expect(await (await fetch(`${origin}/?scenario=warning`)).text()).toContain('dev page')
    expect((await fetch(`${origin}/cap/health`)).status).toBe(200)
    expect(await (await fetch(`${origin}/docs/readme`)).text()).toContain('A boat floats.')
    expect((await fetch(`${origin}/__network`)).status).toBe(200)
    expect(textOf(await allPackets(await post(`${origin}/cap/v1/assist`, { query: 'What about a boat?' })))).toContain(
      'A boat floats. [1]',
    )

    await writeFile(join(root, 'docs/oars.md'), '# Oars\n\nAn oar is a lever.\n')
    server.watcher.emit('add', join(root, 'docs/oars.md'))
    while ((await fetch(`${origin}/docs/oars`)).status !== 200);
    const packets = await allPackets(
      await post(`${origin}/cap/v1/assist`, { query: 'What is an oar?', requestId: crypto.randomUUID() }),
    )
    expect(textOf(packets)).toContain('An oar is a lever. [1]')
  })

  it('does the same in preview', async () => {
    const server = await preview({ ...config(), preview: { port: 0, host: '127.0.0.1' } })
    closing.push(() => server.close())
    const origin = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
    expect(await (await fetch(`${origin}/`)).text()).toContain('built page')
    expect((await fetch(`${origin}/cap/health`)).status).toBe(200)
    expect((await fetch(`${origin}/docs/readme`)).status).toBe(200)
    expect((await post(`${origin}/cap/v1/assist`, { metadata: { scenario: 'http-401' } })).status).toBe(401)
  })

  it('keeps out of servers that only borrow the config', async () => {
    const server = await createServer({ ...config(), server: { middlewareMode: true, ws: false } })
    closing.push(() => server.close())
    expect((await fetch(`${await serve(server.middlewares)}/cap/health`)).status).toBe(404)
  })
})
