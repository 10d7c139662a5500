import { describe, expect, it } from 'vitest'
import { readRequestFrame } from '../../../src/server/http/answer-frames.ts'
import { HttpRefusal } from '../../../src/server/http/http-refusal.ts'

const URL_OF_RUN = new URL('https://app.test/v1/assist?x=1')

function read(frame: unknown, opening: Record<string, string> = {}, allowed: readonly string[] = []): Request {
  const text = typeof frame === 'string' ? frame : JSON.stringify(frame)
  const { signal } = new AbortController()
  return readRequestFrame(text, { url: URL_OF_RUN, headers: new Headers(opening) }, allowed, signal)
}

function refusal(...given: Parameters<typeof read>): number | undefined {
  try {
    read(...given)
    return undefined
  } catch (error) {
    return error instanceof HttpRefusal ? error.init.status : 0
  }
}

describe('a first frame', () => {
  it('is a request to the address of the connection, its body without what HTTP says', async () => {
    const http = { method: 'POST', headers: { Authorization: 'Bearer a', 'x-request-id': 'r', 'Last-Event-ID': 's' } }
    const request = read({ request_id: 'r', payload: { text: 'ä' }, http })
    expect(request.url).toBe(URL_OF_RUN.href)
    expect(request.method).toBe('POST')
    expect(Object.fromEntries(request.headers)).toEqual({
      authorization: 'Bearer a',
      'content-type': 'application/json',
      'last-event-id': 's',
      'x-request-id': 'r',
    })
    expect(await request.json()).toEqual({ request_id: 'r', payload: { text: 'ä' } })
  })

  it('is a GET without a body', () => {
    const request = read({ http: { method: 'GET', headers: { accept: 'application/json' } } })
    expect([request.method, request.body, request.headers.get('content-type')]).toEqual(['GET', null, null])
  })

  it.each(['{"request_id":"r"}', '{"request_id":"r","http":7}', '[1]', '{nope'])(
    'is a body unchanged where it says nothing of HTTP: %s',
    async (frame) => {
      const request = read(frame)
      expect(request.method).toBe('POST')
      expect(request.headers.get('content-type')).toBe('application/json')
      expect(await request.text()).toBe(frame)
    },
  )

  it('cannot set what the opening request has set: a gateway says who is calling', () => {
    const headers = { authorization: 'Bearer forged' }
    const request = read(
      { http: { method: 'POST', headers } },
      { authorization: 'Bearer real', cookie: 'a=b', 'x-user': 'ann' },
    )
    expect(request.headers.get('authorization')).toBe('Bearer real')
    expect([request.headers.get('cookie'), request.headers.get('x-user')]).toEqual(['a=b', 'ann'])
  })

  it.each(['cookie', 'origin', 'host', 'x-forwarded-for', 'X-User', 'sec-fetch-site', 'content-length', 'connection'])(
    'is refused with the header %s, which a gateway would take away from a request',
    (name) => {
      expect(refusal({ http: { method: 'POST', headers: { [name]: 'a' } } })).toBe(400)
    },
  )

  it('may hold headers that the server lists', () => {
    const request = read({ http: { method: 'POST', headers: { 'X-Tenant': 'acme' } } }, {}, ['x-tenant'])
    expect(request.headers.get('x-tenant')).toBe('acme')
  })

  it('leaves the headers of the opening request out that are about the connection', () => {
    const opening = { upgrade: 'websocket', 'sec-websocket-key': 'k', 'content-length': '7', 'keep-alive': 'timeout=5' }
    expect(Object.fromEntries(read({ http: { method: 'POST', headers: {} } }, opening).headers)).toEqual({
      'content-type': 'application/json',
    })
  })

  it.each([
    ['another method', { http: { method: 'DELETE', headers: {} } }],
    ['no method', { http: { headers: {} } }],
    ['a line break in a header', { http: { method: 'POST', headers: { authorization: 'a\nb: c' } } }],
    ['a header that is no text', { http: { method: 'POST', headers: { authorization: 7 } } }],
  ])('is refused with %s', (_, frame) => {
    expect(refusal(frame)).toBe(400)
  })

  it('takes no prototype out of a key that names one', async () => {
    const request = read('{"__proto__":{"admin":true},"http":{"method":"POST","headers":{}}}')
    expect(await request.text()).toBe('{}')
  })
})
