import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { textOf, type Attachment } from '../../src/index.ts'
import { event, type ResolveFile } from '../../src/server.ts'
import { openModelPage, type ModelPage } from './ask-agent.ts'
import { VENDOR_AGENTS, type VendorAgent } from './vendor-agents.ts'
import { serveVendor, type VendorServer } from './vendor-server.ts'

/** A picture of one pixel, and a text with characters of several bytes. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PICTURE: Attachment = { data: PIXEL, mimeType: 'image/png', name: 'bend.png' }
const NOTES = 'Gauge 7: 2 m 🌊'
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const TEXT: Attachment = { data: base64(NOTES), mimeType: 'text/plain', name: 'gauges.txt' }
const PDF: Attachment = { data: base64('%PDF-1.7'), mimeType: 'application/pdf', name: 'survey.pdf' }
const ARCHIVE: Attachment = { data: base64('PK\u0003\u0004'), mimeType: 'application/zip', name: 'all.zip' }

const warn = vi.spyOn(console, 'warn')
beforeEach(() => void warn.mockImplementation(() => {}))
afterEach(() => warn.mockReset())

interface Opened extends ModelPage<unknown> {
  readonly server: VendorServer
  /** The request of a number, as text without escapes that JSON needs for quotes. */
  request(ordinal: number): string
}

/** A page with a `CapClient`, the handler, a helper, the real SDK, and a vendor over HTTP on loopback. */
async function open({ wire, answer }: VendorAgent, resolveFile?: ResolveFile): Promise<Opened> {
  const server = await serveVendor(() => wire.says('I see.'))
  const page = openModelPage<unknown>((run) => answer(run, server.origin, { resolveFile }))
  return { ...page, server, request: (ordinal) => JSON.stringify(server.bodies[ordinal]) }
}

const DATA_URL = `data:image/png;base64,${PIXEL}`
const FRAMED = `Content of the attached file "gauges.txt" follows.\n\n${NOTES}`

/** The message of the user in each wire format: what the vendors document. */
const EXPECTED: Readonly<Record<string, readonly object[]>> = {
  'fromOpenAi with openai': [
    { type: 'input_image', image_url: DATA_URL, detail: 'auto' },
    { type: 'input_text', text: FRAMED },
    { type: 'input_text', text: 'What is this?' },
  ],
  'fromAnthropic with @anthropic-ai/sdk': [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: NOTES }, title: 'gauges.txt' },
    { type: 'text', text: 'What is this?' },
  ],
  'fromAiSdk with @ai-sdk/openai': [
    { type: 'input_image', image_url: DATA_URL },
    { type: 'input_text', text: FRAMED },
    { type: 'input_text', text: 'What is this?' },
  ],
  'fromAiSdk with @ai-sdk/anthropic': [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
    { type: 'text', text: FRAMED },
    { type: 'text', text: 'What is this?' },
  ],
  'fromLangGraph with @langchain/openai': [
    { type: 'image_url', image_url: { url: DATA_URL } },
    { type: 'text', text: FRAMED },
    { type: 'text', text: 'What is this?' },
  ],
  'fromLangGraph with @langchain/anthropic': [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
    { type: 'text', text: FRAMED },
    { type: 'text', text: 'What is this?' },
  ],
}

describe.each(VENDOR_AGENTS)('files with $name', (agent) => {
  it('have the form of the vendor', async () => {
    const { chat, server } = await open(agent)
    await chat.sendMessage({ text: 'What is this?', files: [PICTURE, TEXT] })
    const [body] = server.bodies
    expect(body?.['messages'] ?? body?.['input']).toMatchObject([{ role: 'user', content: EXPECTED[agent.name] }])
  })

  it.each([
    ['with text', 'What is this?'],
    ['without text', ''],
  ])('are in the request of the model, %s, and in the next one', async (_name, text) => {
    const { chat, answer, request, reported } = await open(agent)
    await chat.sendMessage({ text, files: [PICTURE, TEXT] })
    expect([answer().status, textOf(answer())]).toEqual(['complete', 'I see.'])
    for (const part of [PIXEL, NOTES, 'gauges.txt', text]) expect(request(0)).toContain(part)
    await chat.sendMessage('And now?')
    for (const part of [PIXEL, NOTES, text, 'I see.', 'And now?']) expect(request(1)).toContain(part)
    expect([reported, warn.mock.calls]).toEqual([[], []])
  })

  it('may be PDF', async () => {
    const { chat, answer, request, reported } = await open(agent)
    await chat.sendMessage({ text: 'Read it.', files: [PDF] })
    expect(answer().status).toBe('complete')
    expect(request(0)).toContain(base64('%PDF-1.7'))
    expect(reported).toEqual([])
  })

  it('that were uploaded are resolved by their ids, to bytes or to a URL', async () => {
    const asked: unknown[] = []
    const { chat, answer, request, reported } = await open(agent, (file) => {
      asked.push(file)
      return file.id === 'file-1'
        ? { data: Uint8Array.from(Buffer.from(NOTES)), mimeType: 'text/plain', name: 'gauges.txt' }
        : { url: 'https://files.test/bend.png', mimeType: 'image/png' }
    })
    await chat.sendMessage({ text: 'What?', files: ['file-1', { id: 'file-2', name: 'bend.png' }] })
    expect(answer().status).toBe('complete')
    expect(asked).toMatchObject([{ id: 'file-1' }, { id: 'file-2' }])
    for (const part of [NOTES, 'https://files.test/bend.png']) expect(request(0)).toContain(part)
    expect(reported).toEqual([])
  })

  it('that have a URL for an id are given by it', async () => {
    const { chat, answer, request, reported } = await open(agent)
    await chat.sendMessage({ text: 'What?', files: ['https://files.test/bend.png'] })
    expect(answer().status).toBe('complete')
    expect(request(0)).toContain('https://files.test/bend.png')
    expect(reported).toEqual([])
  })

  it('that nobody resolves are reported, and the model is told about them', async () => {
    const { chat, answer, request, reported } = await open(agent)
    await chat.sendMessage({ text: '', files: [{ id: 'file-1', name: 'bend.png' }] })
    expect(answer().status).toBe('complete')
    expect(request(0)).toContain('file-1')
    expect(reported).toMatchObject([{ code: 'app_error', message: expect.stringContaining('resolveFile') }])
    expect(warn.mock.calls.flat().join()).toContain('The model was not given a file')
  })

  it('whose content cannot be found are reported with what was thrown', async () => {
    const failure = new Error('The bucket is gone.')
    const { chat, answer, reported } = await open(agent, () => Promise.reject(failure))
    await chat.sendMessage({ text: 'What?', files: ['file-1'] })
    expect(answer().status).toBe('complete')
    expect(reported[0]).toBe(failure)
    expect(reported[1]).toMatchObject({ code: 'app_error' })
  })
})

// What the AI SDK reads is known only to the provider of the model.
describe.each(VENDOR_AGENTS.filter(({ name }) => !name.startsWith('fromAiSdk')))('files with $name', (agent) => {
  it('of a type that the vendor does not read are reported, and the model is told about them', async () => {
    const { chat, answer, request, reported } = await open(agent)
    await chat.sendMessage({ text: 'Unpack it.', files: [ARCHIVE, PICTURE] })
    expect(answer().status).toBe('complete')
    expect(request(0)).not.toContain(ARCHIVE.data)
    for (const part of ['all.zip', PIXEL, 'Unpack it.']) expect(request(0)).toContain(part)
    expect(reported).toMatchObject([{ message: expect.stringContaining('"all.zip" (application/zip)') }])
    expect(warn).toHaveBeenCalledTimes(1)
  })
})

describe.each(VENDOR_AGENTS)('calls of earlier answers with $name', ({ wire, answer: ask }) => {
  it('are in the next request with their results, also of an answer without text', async () => {
    const server = await serveVendor(() => wire.says('Six.'))
    const { chat, answer, reported } = openModelPage<unknown>(async function* (run) {
      if (run.text === 'Find them.') {
        yield event('TOOL_CALL', { name: 'look up', arguments: { q: 'bends' }, result: ['six', 'bends'] })
        yield event('TOOL_CALL', { name: 'send_mail', arguments: { to: 'ann' }, status: 'denied' })
      } else yield* await ask(run, server.origin)
    })
    await chat.sendMessage('Find them.')
    await chat.sendMessage('How many?')
    expect([answer().status, textOf(answer()), reported]).toEqual(['complete', 'Six.', []])
    const request = JSON.stringify(server.bodies[0]).replaceAll('\\"', '"')
    const places = ['Find them.', '"look_up"', '{"q":"bends"}', '["six","bends"]', 'did not allow it', 'How many?'].map(
      (part) => request.indexOf(part),
    )
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((left, right) => left - right))
  })
})
