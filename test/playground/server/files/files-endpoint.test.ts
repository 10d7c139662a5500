import { describe, expect, it } from 'vitest'
import type { StreamPacket } from '../../../../src/protocols/cap/schema/packet.ts'
import { allPackets, requestBody, textOf } from '../../../server/peer.ts'
import { openPlayground, type OpenPlayground } from '../../open-playground.ts'

const NOTES = '# Notes\n\n## The weir\n\nThe weir was built in 1911.\n\n## The lakes\n\nThere are four lakes.\n'

interface Uploaded {
  readonly id: string
  readonly name: string
  readonly size: number
}

const upload = (
  playground: OpenPlayground,
  body: BodyInit,
  name = 'notes.md',
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${playground.origin}/files?name=${encodeURIComponent(name)}`, { method: 'POST', body, headers })

async function uploaded(playground: OpenPlayground, text: string, name?: string): Promise<Uploaded> {
  const response = await upload(playground, text, name)
  expect(response.status).toBe(201)
  return (await response.json()) as Uploaded
}

async function ask(
  playground: OpenPlayground,
  query: string,
  files?: readonly unknown[],
  sessionId?: string,
): Promise<StreamPacket[]> {
  const body = requestBody({
    query,
    requestId: crypto.randomUUID(),
    ...(sessionId !== undefined && { sessionId }),
  }) as { payload: { payload: object } }
  Object.assign(body.payload.payload, files && { files })
  return allPackets(await playground.ask({ body: JSON.stringify(body) }))
}

describe('a file that is uploaded', () => {
  it('gets an id, and can be read again as plain text that does nothing', async () => {
    const playground = await openPlayground()
    const { id, name, size } = await uploaded(playground, '<script>alert(1)</script>', 'page of mine.html')
    expect({ name, size }).toEqual({ name: 'page of mine.html', size: 25 })
    const read = await fetch(`${playground.origin}/files/${id}`)
    expect(await read.text()).toBe('<script>alert(1)</script>')
    expect(read.headers.get('content-type')).toContain('text/plain')
    expect(read.headers.get('content-security-policy')).toContain('sandbox')
  })

  it.each<[string, BodyInit, number, RegExp]>([
    ['is too large', 'x'.repeat(200_001), 413, /200 kB/],
    ['is no text', new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), 415, /not a text file/],
    ['holds a zero byte', 'a\0b', 415, /not a text file/],
    ['is empty', ' \n', 422, /nothing in it/],
  ])('is refused with the reason when it %s', async (_, body, status, reason) => {
    const response = await upload(await openPlayground(), body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(reason) as unknown })
  })

  it('is not taken from another page, nor given under an id nobody has', async () => {
    const playground = await openPlayground()
    expect((await upload(playground, NOTES, 'notes.md', { origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await fetch(`${playground.origin}/files/none`)).status).toBe(404)
    expect((await fetch(`${playground.origin}/files`, { method: 'DELETE' })).status).toBe(405)
  })
})

describe('a question with a file', () => {
  it('is answered from the file alone, and the source is the file', async () => {
    const playground = await openPlayground({
      pages: [{ path: 'docs/weirs.md', markdown: '# Weirs\n\nA weir is a low dam.\n' }],
    })
    const { id } = await uploaded(playground, NOTES)
    const packets = await ask(playground, 'When was the weir built?', [id])
    expect(textOf(packets)).toContain('The weir was built in 1911. [1]')
    expect(textOf(packets)).not.toContain('low dam')
    expect(JSON.stringify(packets)).toContain(`${playground.origin}/files/${id}#the-weir`)
  })

  it('leaves the file to the questions after it, in its own conversation only', async () => {
    const playground = await openPlayground({
      pages: [{ path: 'docs/lakes.md', markdown: '# Lakes\n\nA lake is water with land around it.\n' }],
    })
    const { id } = await uploaded(playground, NOTES)
    await ask(playground, 'When was the weir built?', [id])
    expect(textOf(await ask(playground, 'How many lakes are there?'))).toContain('There are four lakes.')
    expect(textOf(await ask(playground, 'What is a lake?', undefined, crypto.randomUUID()))).toContain(
      'A lake is water',
    )
  })

  it('that is gone is told, and nothing is made up', async () => {
    const packets = await ask(await openPlayground(), 'When was the weir built?', [crypto.randomUUID()])
    expect(textOf(packets)).toBe('')
    expect(packets[0]).toMatchObject({ op: 'ERROR', p: { code: 'file_not_found', severity: 'FATAL' } })
  })

  it('keeps the newest fifty files', async () => {
    const playground = await openPlayground()
    const { id } = await uploaded(playground, NOTES)
    for (let count = 0; count < 50; count++) await uploaded(playground, `note ${count}`)
    expect((await fetch(`${playground.origin}/files/${id}`)).status).toBe(404)
  })
})
