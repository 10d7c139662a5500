import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chatMessages } from '../../../src/server/conversation/chat-messages.ts'
import {
  messagesOf,
  type ConversationPart,
  type ConversationTurn,
} from '../../../src/server/conversation/conversation-store.ts'
import type { ChatMessagesOptions, ChatRun } from '../../../src/server/conversation/model-turns.ts'

const said = (
  id: string,
  text: string,
  parts: readonly ConversationPart[] | undefined,
  rest: Partial<ConversationTurn> = {},
): ConversationTurn => ({
  id,
  replaces: [],
  text,
  at: 0,
  ...(parts && { answer: { parts, status: 'complete', at: 0 } }),
  ...rest,
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('chatMessages', () => {
  it('gives a model alternating roles, without answers that say nothing', async () => {
    const history = messagesOf([
      said('a', 'Hello', [{ type: 'text', id: 't', text: 'Hi!' }]),
      said('b', 'Why?', undefined),
      said('c', 'Well?', [{ type: 'citations', id: 'c', citations: [] }]),
    ])
    expect(await chatMessages({ history: async () => history, text: 'Please.' })).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi!' },
      { role: 'user', content: 'Why?\n\nWell?\n\nPlease.' },
    ])
  })

  it('keeps an answer of calls alone, and every way in which a call can end', async () => {
    const call = { type: 'tool-call', name: 'search' } as const
    const history = messagesOf([
      said('a', 'Find them.', [
        { ...call, id: 'x', input: { q: 'bends' }, output: { found: 6 }, status: 'complete' },
        { ...call, id: 'y', input: ['a'], output: 'The tool failed.', status: 'failed' },
        { ...call, id: 'z', status: 'denied' },
      ]),
      // The ids of parts are unique in one answer only.
      said('b', 'And now?', [{ ...call, id: 'x', name: 'look up: all', input: {}, status: 'running' }]),
    ])
    const calls = (...named: readonly (readonly [string, string, unknown])[]) => ({
      role: 'assistant',
      content: named.map(([toolCallId, toolName, input]) => ({ type: 'tool-call', toolCallId, toolName, input })),
    })
    const results = (...named: readonly (readonly [string, string, string, string])[]) => ({
      role: 'tool',
      content: named.map(([toolCallId, toolName, type, value]) => ({
        type: 'tool-result',
        toolCallId,
        toolName,
        output: { type, value },
      })),
    })
    expect(await chatMessages({ history: async () => history, text: 'So?' })).toEqual([
      { role: 'user', content: 'Find them.' },
      calls(['call-1', 'search', { q: 'bends' }], ['call-2', 'search', { input: ['a'] }], ['call-3', 'search', {}]),
      results(
        ['call-1', 'search', 'text', '{"found":6}'],
        ['call-2', 'search', 'error-text', 'The tool failed.'],
        ['call-3', 'search', 'error-text', 'The user did not allow it.'],
      ),
      { role: 'user', content: 'And now?' },
      calls(['call-4', 'look_up__all', {}]),
      results(['call-4', 'look_up__all', 'error-text', 'The call was interrupted.']),
      { role: 'user', content: 'So?' },
    ])
  })

  it('splits an answer where the model has continued with the results of its calls', async () => {
    const history = messagesOf([
      said('a', 'How many?', [
        { type: 'text', id: '1', text: 'Let me look.' },
        { type: 'tool-call', id: '2', name: 'search', output: '6', status: 'complete' },
        { type: 'text', id: '3', text: 'Six.' },
      ]),
    ])
    const messages = await chatMessages({ history: async () => history, text: 'Sure?' })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(messages[3]?.content).toBe('Six.')
  })

  it('keeps the metadata of messages, joined where messages are', async () => {
    const history = messagesOf([said('a', 'Hello', undefined, { metadata: { mood: 'calm', page: 1 } })])
    const run = { history: async () => history, text: 'Why?', metadata: { page: 2 } }
    expect(await chatMessages(run)).toEqual([
      { role: 'user', content: 'Hello\n\nWhy?', metadata: { mood: 'calm', page: 2 } },
    ])
  })
})

describe('chatMessages with files', () => {
  const warn = vi.spyOn(console, 'warn')
  beforeEach(() => void warn.mockImplementation(() => {}))
  afterEach(() => warn.mockReset())

  async function contentOf(files: ChatRun['files'], options?: ChatMessagesOptions) {
    const reported: unknown[] = []
    const report = (error: unknown): number => reported.push(error)
    const [message] = await chatMessages({ history: async () => [], text: '', files, report }, options)
    return { content: message?.content, reported }
  }

  it.each([
    ['text/markdown', 'a.md'],
    ['application/json; charset=utf-8', 'a.json'],
    ['image/svg+xml', 'a.svg'],
    ['', 'a.ts'],
    ['application/octet-stream', 'a.ts'],
    [undefined, undefined],
  ])('gives the text of a file of the type %s', async (mimeType, name) => {
    const { content, reported } = await contentOf([{ data: base64('Höhe: 2 m'), mimeType, name }])
    expect(content).toContain('Höhe: 2 m')
    expect(reported).toEqual([])
  })

  it.each([
    ['is not base64', { data: '%%%', mimeType: 'image/png' }],
    ['is empty', { data: '', mimeType: 'text/plain' }],
    ['is not text', { data: base64('\u0000'), mimeType: 'text/plain' }],
    ['has no type', { data: '/////w==' }],
  ])('tells the model of a file that %s, and reports it', async (_name, file) => {
    const { content, reported } = await contentOf([{ ...file, name: 'a "file"' }])
    expect(content).toContain('a \\"file\\"')
    expect(reported).toHaveLength(1)
    expect(warn).toHaveBeenCalledTimes(1)
  })

  it.each(['file:///etc/passwd', 'javascript:alert(1)', '/relative'])(
    'does not pass on an address other than http and https: %s',
    async (id) => {
      const unresolved = await contentOf([id])
      const resolved = await contentOf(['x'], { resolveFile: () => ({ url: id, mimeType: 'image/png' }) })
      for (const { content, reported } of [unresolved, resolved]) {
        expect(content).toContain('not available')
        expect(reported).toHaveLength(1)
      }
    },
  )

  it('asks the app about every file without data, also about one with a URL for an id', async () => {
    const resolveFile = vi.fn(() => undefined)
    const { content } = await contentOf(['https://files.test/a.png', { data: base64('So.') }], { resolveFile })
    expect(resolveFile.mock.calls).toEqual([[{ id: 'https://files.test/a.png' }]])
    expect(content).toContain('not available')
  })

  it('gives the media type of a URL by its extension, and reports one without', async () => {
    const known = await contentOf(['https://files.test/a.PDF?page=2'])
    expect(known.content).toEqual([
      { type: 'file', data: new URL('https://files.test/a.PDF?page=2'), mediaType: 'application/pdf' },
    ])
    expect((await contentOf(['https://files.test/a'])).reported).toHaveLength(1)
  })

  it('reports on the console where the run has no report', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    await chatMessages({ history: async () => [], text: '', files: ['file-1'] })
    expect(error).toHaveBeenCalledTimes(1)
    error.mockRestore()
  })
})
