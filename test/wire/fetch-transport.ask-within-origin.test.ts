// @vitest-environment jsdom
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fetchEventSourceTransport } from '../../src/wire/fetch-event-source-transport.ts'
import { fetchTransport, type Fetch } from '../../src/wire/fetch-transport.ts'
import type { Transport } from '../../src/wire/transport.ts'
import { serve } from '../server/peer.ts'
import { hear, type Heard } from './hear.ts'

// The same in a real browser, which hides where redirects lead: test/e2e/transports.test.ts. Every client: test/integration/credentials.test.ts.

const KEY = 'a key of the app'
const TRANSPORTS: readonly (readonly [name: string, make: (fetch?: Fetch) => Transport])[] = [
  ['fetch', (fetch) => fetchTransport({ fetch })],
  ['fetch-event-source', (fetch) => fetchEventSourceTransport({ fetch })],
]

/** A server whose first answer is a redirect; gives what a transport makes of it, and the paths that were asked. */
async function heardOf(
  transport: Transport,
  { status = 307, location = '/landed', method = 'POST' as 'GET' | 'POST' },
): Promise<{ readonly heard: Heard; readonly asked: readonly string[] }> {
  const asked: string[] = []
  const origin = await serve((req, res) => {
    asked.push(`${req.method} ${req.url} ${String(req.headers['x-api-key'])}`)
    if (req.url === '/landed') return res.writeHead(200, { 'content-type': 'application/json' }).end('{"landed":true}')
    return res.writeHead(status, { location }).end('This body is not read.')
  })
  const heard = await hear(transport, { url: `${origin}/agent`, method, headers: { 'x-api-key': KEY } })
  return { heard, asked }
}

describe.each(TRANSPORTS)('the %s transport', (_name, make) => {
  it.each([
    [307, 'POST'],
    [308, 'POST'],
    [301, 'GET'],
    [302, 'GET'],
    [303, 'GET'],
    [307, 'GET'],
  ] as const)('follows a redirect %i of a %s within the origin, with its headers', async (status, method) => {
    const { heard, asked } = await heardOf(make(), { status, method })
    expect(heard).toMatchObject({ text: '{"landed":true}' })
    expect(asked).toEqual([`${method} /agent ${KEY}`, `${method} /landed ${KEY}`])
  })

  it.each([
    ['another port', 'http://127.0.0.1:1/landed'],
    ['another name of the host', 'http://localhost/landed'],
    ['another scheme', 'https://127.0.0.1/landed'],
    ['a host without a scheme', '//other.test/landed'],
    ['a host behind backslashes', '/\\other.test/landed'],
    ['the host as a user of another', 'http://127.0.0.1@other.test/landed'],
    ['data', 'data:application/json,{}'],
    ['a link-local address', 'http://169.254.169.254/latest/meta-data'],
    ['no URL', 'http://['],
  ])('refuses a redirect to %s, and says what to do', async (_what, location) => {
    const asked: string[] = []
    const fetch: Fetch = (url, init) => {
      asked.push(url)
      return globalThis.fetch(url, init)
    }
    const { heard } = await heardOf(make(fetch), { location })
    expect(heard.error).toMatchObject({ typed: true, kind: 'runtime', code: 'http_error', severity: 'FATAL' })
    expect(heard.error?.message).toMatch(/redirected the request to .*final URL/)
    expect(asked).toHaveLength(1)
  })

  it.each([301, 302, 303])('refuses a redirect %i of a POST, which would lose its body', async (status) => {
    const { heard, asked } = await heardOf(make(), { status })
    expect(heard.error).toMatchObject({ code: 'http_error', severity: 'FATAL' })
    expect(asked).toHaveLength(1)
  })

  it('refuses a redirect where nobody knows the origin of the request', async () => {
    const fetch: Fetch = async () => new Response(null, { status: 307, headers: { location: 'https://other.test/' } })
    const { error } = await hear(make(fetch), { url: '/agent' })
    expect(error).toMatchObject({ code: 'http_error', severity: 'FATAL' })
  })

  it('gives up redirects in a circle', async () => {
    const { heard, asked } = await heardOf(make(), { location: '/agent' })
    expect(heard.error?.message).toContain('in a circle')
    expect(asked).toHaveLength(6)
  })

  it('takes a status of redirects without a location for an answer', async () => {
    const origin = await serve((_req, res) => res.writeHead(300, { 'content-type': 'text/plain' }).end('Choose.'))
    expect(await hear(make(), { url: `${origin}/agent` })).toMatchObject({ answer: { status: 300 }, text: 'Choose.' })
  })

  it('asks for http and https alone', async () => {
    for (const url of [
      'data:application/json,{}',
      'file:///etc/passwd',
      'ftp://127.0.0.1/',
      'blob:http://127.0.0.1/1',
    ]) {
      const { error } = await hear(make(), { url })
      expect(error, url).toMatchObject({ typed: true, kind: 'protocol', code: 'invalid_config', severity: 'FATAL' })
    }
  })
})

/** What a page gets of a redirect. The real ones of Chromium are in test/e2e/transports.test.ts. */
const hidden = (): Response => Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })

describe.each(TRANSPORTS)('the %s transport, where a page is not told where redirects lead', (_name, make) => {
  /** A fetch that meets a redirect, and then what is given. */
  function fetchOf(then: () => Promise<Response>): { readonly fetch: Fetch; readonly inits: RequestInit[] } {
    const inits: RequestInit[] = []
    return {
      inits,
      fetch: async (_url, init) => {
        inits.push(init)
        return inits.length === 1 ? hidden() : then()
      },
    }
  }

  it('lets the browser follow within the origin of the page, and no further', async () => {
    const landed = new Response('{}', { headers: { 'content-type': 'application/json' } })
    const { fetch, inits } = fetchOf(async () => landed)
    expect(await hear(make(fetch), { url: '/agent' })).toMatchObject({ text: '{}' })
    expect(inits).toMatchObject([{ redirect: 'manual' }, { redirect: 'follow', mode: 'same-origin' }])
  })

  it('refuses on a page of an opaque origin, whatever its location is', async () => {
    vi.stubGlobal('origin', 'null')
    onTestFinished(() => void vi.unstubAllGlobals())
    for (const url of ['/agent', `${location.origin}/agent`]) {
      const { fetch, inits } = fetchOf(() => Promise.reject(new Error('This is not asked.')))
      expect((await hear(make(fetch), { url })).error, url).toMatchObject({ typed: true, code: 'http_error' })
      expect(inits).toHaveLength(1)
    }
  })

  it('refuses what the browser refuses to follow', async () => {
    const { fetch } = fetchOf(() => Promise.reject(new TypeError('Failed to fetch')))
    const { error } = await hear(make(fetch), { url: '/agent' })
    expect(error).toMatchObject({ code: 'http_error', severity: 'FATAL' })
  })

  it('refuses a redirect of another origin unseen', async () => {
    const { fetch, inits } = fetchOf(() => Promise.reject(new Error('This is not asked.')))
    const { error } = await hear(make(fetch), { url: 'https://agent.example/assist' })
    expect(error).toMatchObject({ code: 'http_error', severity: 'FATAL' })
    expect(inits).toHaveLength(1)
  })
})
