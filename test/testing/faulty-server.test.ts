import { afterEach, describe, expect, it } from 'vitest'
import type { FaultyServer, FaultyServerOptions, ServerFault } from '../../src/testing/faulty-server.ts'
import { faultyServer } from '../../src/testing/faulty-server.ts'
import { allPackets, post, textOf } from '../server/peer.ts'

let server: FaultyServer

async function serve(faults: FaultyServerOptions['faults'] = []): Promise<string> {
  server = await faultyServer({ agent: ['Rivers ', 'meander ', 'slowly.'], faults })
  return `${server.origin}/v1/assist`
}

async function said(fault: ServerFault): Promise<string> {
  const response = await post(await serve([fault]))
  let text = ''
  const utf8 = new TextDecoder()
  try {
    for await (const bytes of response.body ?? []) text += utf8.decode(bytes, { stream: true })
  } catch {
    text += '(reset)'
  }
  return text
}

const numbers = (text: string): number[] => [...text.matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq))

afterEach(() => server.close())

describe('a server that breaks as scripted', () => {
  it('is a good server without faults, and keeps count', async () => {
    const url = await serve()
    expect(textOf(await allPackets(await post(url)))).toBe('Rivers meander slowly.')
    expect(textOf(await allPackets(await post(url)))).toBe('Rivers meander slowly.')
    expect(server).toMatchObject({
      runs: 1,
      text: 'Rivers meander slowly.',
      attempts: [{ lastEventId: undefined }, {}],
    })
  })

  it.each<ServerFault>([{ type: 'refuse' }, { type: 'lose-answer' }])('gives no answer: $type', async (fault) => {
    const url = await serve([fault])
    await expect(post(url)).rejects.toThrow('fetch failed')
    expect(server.runs).toBe(fault.type === 'refuse' ? 0 : 1)
  })

  it('cuts after so many packets or bytes, either way', async () => {
    expect(numbers(await said({ type: 'cut', after: 2 }))).toEqual([1, 2])
    expect(await said({ type: 'cut', after: 2 })).toMatch(/\(reset\)$/)
    expect(await said({ type: 'cut', after: 2, how: 'end' })).not.toContain('(reset)')
    expect(await said({ type: 'cut', after: 30, unit: 'bytes', how: 'end' })).toHaveLength(30)
    expect(await said({ type: 'cut', after: 30, unit: 'bytes', how: 'end', pieces: 1 })).toHaveLength(30)
    expect(await said({ type: 'cut', after: 0 })).toBe('(reset)')
  })

  it('loses, swaps, repeats and leaves out packets', async () => {
    expect(numbers(await said({ type: 'gap', after: 1, count: 2 }))).toEqual([1, 4])
    expect(numbers(await said({ type: 'swap', after: 1 }))).toEqual([1, 3, 2, 4])
    expect(numbers(await said({ type: 'repeat', times: 3 }))).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])
    expect(numbers(await said({ type: 'replay', after: 2, times: 2 }))).toEqual([1, 2, 1, 2, 1, 2, 3, 4])
    expect(numbers(await said({ type: 'overlap', from: 2 }))).toEqual([3, 4])
  })

  it('says what no agent says', async () => {
    expect(await said({ type: 'insert', after: 1, data: 'retry: 0\n\n' })).toMatch(/"seq":1,[^\n]*\n\nretry: 0\n\nid: /)
    expect(await said({ type: 'append', data: 'data: late\n\n' })).toMatch(/"op":"CLOSE"[^\n]*\n\ndata: late\n\n$/)
    expect(await said({ type: 'empty' })).toBe('')
    expect(await said({ type: 'page' })).toContain('<script>')
    expect(await said({ type: 'status', status: 503, body: 'down' })).toBe('down')
  })

  it('falls silent, with or without comments, and forgets who has gone', async () => {
    const url = await serve([
      { type: 'silence', after: 1 },
      { type: 'silence', after: 1, commentsEveryMs: 1 },
      { type: 'mute' },
    ])
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const leaving = new AbortController()
      const response = await post(url, { signal: leaving.signal })
      const reader = response.body?.getReader()
      let text = ''
      while (!text.includes('"seq":1') || (attempt === 1 && !text.includes(': alive')))
        text += new TextDecoder().decode((await reader?.read())?.value)
      expect(numbers(text)).toEqual([1])
      leaving.abort()
    }
    const leaving = new AbortController()
    const unanswered = post(url, { signal: leaving.signal })
    await expect.poll(() => server.attempts.length).toBe(3)
    leaving.abort()
    await expect(unanswered).rejects.toThrow('aborted')
    await expect.poll(() => server.open).toBe(0)
  })

  it('forgets a run, and refuses it or begins it again', async () => {
    const url = await serve([{ type: 'none' }, { type: 'lose-log' }, { type: 'lose-log', answer: 'conflict' }])
    const [first] = await allPackets(await post(url))
    const [second] = await allPackets(await post(url, { headers: { 'last-event-id': first?.stream_id ?? '' } }))
    expect(second?.stream_id).not.toBe(first?.stream_id)
    expect(server.runs).toBe(2)
    expect((await post(url, { headers: { 'last-event-id': 'x' } })).status).toBe(409)
  })

  it('asks a function what comes next', async () => {
    const url = await serve(({ headers }, ordinal) =>
      headers['authorization'] === 'Bearer good' ? undefined : { type: 'status', status: 401, body: String(ordinal) },
    )
    expect((await post(url)).status).toBe(401)
    expect((await post(url, { headers: { authorization: 'Bearer good' } })).status).toBe(200)
  })

  it('cuts within a packet', async () => {
    const text = await said({ type: 'cut', after: 1, into: 5, how: 'end' })
    expect(numbers(text)).toEqual([1])
    expect(text).toMatch(/\n\nid: .$/)
  })
})

describe('a server that breaks the connection of a handler', () => {
  const events = ['data: one\r\n\r\n', 'data: two\n\n', 'data: three\r\r', 'data: four\n\n'] as const

  async function hear(faults: FaultyServerOptions['faults'], body?: string): Promise<string> {
    server = await faultyServer({
      handler: async (request) => {
        if (new URL(request.url).pathname === '/echo') return Response.json({ heard: await request.text() })
        return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
      },
      faults,
    })
    const url = `${server.origin}${body === undefined ? '/stream?x=1' : '/echo'}`
    const response = await fetch(url, body === undefined ? {} : { method: 'PUT', body })
    return response.text()
  }

  it('passes what it says, whatever the protocol, and keeps count', async () => {
    expect(await hear([])).toBe(events.join(''))
    expect(server).toMatchObject({ runs: 1, text: '', commands: [] })
    expect(server.attempts).toMatchObject([{ method: 'GET', path: '/stream?x=1', body: '' }])
    expect(await hear([], 'words')).toBe('{"heard":"words"}')
    expect(server.attempts).toMatchObject([{ method: 'PUT', path: '/echo', body: 'words' }])
  })

  it('counts its events, whatever separates them', async () => {
    for (const after of [0, 1, 2, 3])
      expect(await hear([{ type: 'cut', after, how: 'end' }])).toBe(events.slice(0, after).join(''))
    await expect(hear([{ type: 'cut', after: 2 }])).rejects.toThrow('terminated')
    expect(await hear([{ type: 'gap', after: 1, count: 1 }])).toBe([events[0], events[2], events[3]].join(''))
  })

  it('is not reached where the fault is before it', async () => {
    await expect(hear([{ type: 'refuse' }])).rejects.toThrow('fetch failed')
    expect(server.runs).toBe(0)
    await expect(hear([{ type: 'lose-answer' }])).rejects.toThrow('fetch failed')
    expect(server.runs).toBe(1)
  })

  it('writes its stream in every way that the standard allows, and cuts within an event', async () => {
    const plain = events.join('')
    expect(await hear([{ type: 'none', newline: 'crlf' }])).toBe(plain.replaceAll('\n', '\r\n'))
    expect(await hear([{ type: 'none', newline: 'cr', pieces: 1 }])).toBe(plain.replaceAll('\n', '\r'))
    expect(await hear([{ type: 'cut', after: 1, into: 5, how: 'end' }])).toBe(`${events[0]}data:`)
    expect(await hear([{ type: 'cut', after: 0, into: 5, how: 'end', newline: 'cr' }])).toBe('data:')
    await hear([])
    const marked = await faultyServer({
      handler: () => new Response(plain, { headers: { 'content-type': 'text/event-stream' } }),
      faults: [{ type: 'none', bom: true }],
    })
    const bytes = Buffer.from(await (await fetch(marked.origin)).arrayBuffer())
    await marked.close()
    expect(bytes.toString('latin1')).toBe(`\xEF\xBB\xBF${plain}`)
  })

  it('asks a function about each request', async () => {
    const heard = await hear(
      ({ method, path }) => ({ type: 'status', status: 503, body: `${method} ${path}` }),
      'words',
    )
    expect(heard).toBe('PUT /echo')
  })

  it('breaks JSON as well, and does not rewrite it', async () => {
    expect(await hear([{ type: 'none', newline: 'cr', bom: true }], 'a\nb')).toBe('{"heard":"a\\nb"}')
    await expect(hear([{ type: 'cut', after: 4, unit: 'bytes' }], 'words')).rejects.toThrow('terminated')
  })
})
