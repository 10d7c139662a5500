import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { toNodeListener } from '../../../src/server/platforms/node-listener.ts'
import { settle } from '../../support/manual-clock.ts'
import { serve } from '../peer.ts'

type Handler = (http: Request) => Promise<Response>

async function listen(handler: Handler): Promise<string> {
  return serve(toNodeListener(handler))
}

describe('a fetch handler behind Node', () => {
  it('sees the request as it was sent', async () => {
    let seen: unknown
    const origin = await listen(async (http) => {
      const { pathname, search, host } = new URL(http.url)
      seen = {
        method: http.method,
        pathname,
        search,
        host,
        text: await http.text(),
        twice: http.headers.get('x-twice'),
      }
      return new Response(null, { status: 204 })
    })
    const headers = new Headers([
      ['x-twice', 'a'],
      ['x-twice', 'b'],
    ])
    const response = await fetch(`${origin}//evil.example/assist?q=1`, { method: 'POST', headers, body: 'Rivers ü' })
    expect(response.status).toBe(204)
    expect(seen).toEqual({
      method: 'POST',
      pathname: '/evil.example/assist',
      search: '?q=1',
      host: origin.slice(7),
      text: 'Rivers ü',
      twice: 'a, b',
    })
  })

  it('sends status, headers and every cookie on its own', async () => {
    const origin = await listen(async () => {
      const headers = new Headers({ 'x-own': 'yes' })
      headers.append('set-cookie', 'a=1; Expires=Wed, 01 Apr 2026 00:00:00 GMT')
      headers.append('set-cookie', 'b=2')
      return new Response('made', { status: 201, headers })
    })
    const response = await fetch(origin)
    expect([response.status, await response.text(), response.headers.get('x-own')]).toEqual([201, 'made', 'yes'])
    expect(response.headers.getSetCookie()).toEqual(['a=1; Expires=Wed, 01 Apr 2026 00:00:00 GMT', 'b=2'])
  })

  it('answers HEAD without a body, and lets go of the one it was given', async () => {
    let cancelled = false
    const origin = await listen(
      async () =>
        new Response(
          new ReadableStream({
            cancel() {
              cancelled = true
            },
          }),
          { headers: { 'content-type': 'text/plain' } },
        ),
    )
    const response = await fetch(origin, { method: 'HEAD' })
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await response.text()).toBe('')
    expect(cancelled).toBe(true)
  })

  it('answers 500 and 400 for what it cannot handle, and continues', async () => {
    const origin = await listen(async () => {
      throw new Error('password is hunter2')
    })
    const response = await fetch(origin)
    expect([response.status, await response.text()]).toEqual([500, ''])
    const hasty = await listen(() => {
      throw new Error('before it promised anything')
    })
    expect((await fetch(hasty)).status).toBe(500)
    const unsayable = await listen(async () => Response.error())
    await expect(fetch(unsayable)).rejects.toThrow('fetch failed')
    const status = await new Promise((resolve, reject) => {
      httpRequest(origin, { headers: { host: 'no host at all' } }, (answer) => resolve(answer.statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(400)
    expect((await fetch(origin)).status).toBe(500)
  })

  it('believes the configured origin, and what Express says of itself', async () => {
    const urls: string[] = []
    const handler: Handler = async (http) => {
      urls.push(http.url, await http.text())
      return new Response()
    }
    const told = await serve(toNodeListener(handler, { origin: 'https://app.example' }))
    await fetch(`${told}/api/assist`, { method: 'POST' })
    // Express shortens `url` below a mount point, and a body parser has read the body.
    const listener = toNodeListener(handler)
    const express = await serve((req, res) => {
      req.resume().on('end', () => {
        const { url = '' } = req
        setImmediate(() =>
          listener(Object.assign(req, { originalUrl: `/api${url}`, protocol: 'https', body: { parsed: true } }), res),
        )
      })
    })
    await fetch(`${express}/assist`, { method: 'POST', body: '{}' })
    expect(urls).toEqual([
      'https://app.example/api/assist',
      '',
      `${express.replace('http', 'https')}/api/assist`,
      '{"parsed":true}',
    ])
  })
})

describe('a client of it', () => {
  it('that leaves aborts the request and cancels the body', async () => {
    let signal: AbortSignal | undefined
    let cancel = (): void => {}
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve
    })
    const origin = await listen(async (http) => {
      signal = http.signal
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
          cancel: () => cancel(),
        }),
      )
    })
    const leaving = new AbortController()
    const response = await fetch(origin, { signal: leaving.signal })
    await response.body!.getReader().read()
    leaving.abort()
    await cancelled
    expect(signal?.aborted).toBe(true)
  })

  it('that leaves aborts the signal also when nobody has kept the request', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void // the flag puts it there
    let aborted = 0
    const origin = await listen(async (http) => {
      http.signal.addEventListener('abort', () => (aborted += 1))
      return new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }))
    })
    const leaving = new AbortController()
    const response = await fetch(origin, { signal: leaving.signal })
    await response.body!.getReader().read()
    await settle()
    collectGarbage()
    leaving.abort()
    await expect.poll(() => aborted).toBe(1)
  })

  it('that got everything is not said to have left', async () => {
    let signal: AbortSignal | undefined
    const origin = await listen(async (http) => {
      signal = http.signal
      return new Response('all')
    })
    await (await fetch(origin)).text()
    await settle()
    expect(signal?.aborted).toBe(false)
  })

  it('that reads slowly holds the body back', async () => {
    let pulled = 0
    const chunk = new Uint8Array(65_536)
    const origin = await listen(
      async () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              pulled += 1
              if (pulled > 2_000) controller.close()
              else controller.enqueue(chunk)
            },
          }),
        ),
    )
    const received = await new Promise<number>((resolve, reject) => {
      httpRequest(origin, (response) => {
        response.pause()
        let still = pulled
        // Nothing is read: the sender must come to rest long before the end.
        const look = (): void => {
          if (pulled !== still) {
            still = pulled
            setTimeout(look, 50)
            return
          }
          expect(pulled).toBeLessThan(2_000)
          let bytes = 0
          response
            .on('data', (data: Buffer) => (bytes += data.byteLength))
            .on('end', () => resolve(bytes))
            .resume()
        }
        setTimeout(look, 50)
      })
        .on('error', reject)
        .end()
    })
    expect(received).toBe(2_000 * chunk.byteLength)
  })

  it('is cut off when the body breaks off, and is not reported as whole', async () => {
    const origin = await listen(
      async () =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('half'))
            },
            pull(controller) {
              controller.error(new Error('broken'))
            },
          }),
        ),
    )
    await expect(fetch(origin).then((response) => response.text())).rejects.toThrow(/terminated|fetch failed/)
  })

  it('may send a body that is not read, and is answered all the same', async () => {
    const origin = await listen(async () => new Response('no', { status: 413 }))
    const answered = await new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
      const sending = httpRequest(origin, { method: 'POST' }, (response) => {
        resolve([response.statusCode, response.headers.connection])
        sending.destroy()
      })
      sending.on('error', reject)
      sending.write('x'.repeat(100_000))
    })
    expect(answered).toEqual([413, 'close'])
  })
})

describe('the types of the listener', () => {
  it('fit http.createServer as they are', async () => {
    const server = createServer(toNodeListener(async () => new Response('typed')))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    // A TCP server always has an AddressInfo once it listens.
    expect(await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text()).toBe('typed')
    server.closeAllConnections()
    server.close()
  })
})
