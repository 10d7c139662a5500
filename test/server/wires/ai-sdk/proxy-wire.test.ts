import { describe, expect, it } from 'vitest'
import { aiSdkProxyWire } from '../../../../src/server/wires/ai-sdk/proxy-wire.ts'
import { textAnswer } from '../../../support/ai-sdk-server.ts'

const WHOLE = textAnswer('m', 'Rivers')
const CLOSED = WHOLE.slice(0, -2)
const OPEN = WHOLE.slice(0, 4)
const CALL = { type: 'tool-input-start', toolCallId: 'c', toolName: 'search' }
const INPUT = { type: 'tool-input-available', toolCallId: 'c', toolName: 'search', input: {} }

describe('the end of a UI message stream', () => {
  it.each([
    ['nothing', [], 'done', false],
    ['start alone', [{ type: 'start' }], 'done', false],
    ['finish', WHOLE, 'eof', true],
    ['finish, then a break', WHOLE, 'broken', true],
    ['error', [...OPEN, { type: 'error', errorText: 'x' }], 'eof', true],
    ['abort', [...OPEN, { type: 'abort' }], 'eof', true],
    ['text without an end', OPEN, 'done', false],
    ['closed parts and [DONE]', CLOSED, 'done', true],
    ['closed parts without [DONE]', CLOSED, 'eof', false],
    ['an input that is still coming', [...CLOSED, CALL], 'done', false],
    ['an input that has come', [...CLOSED, CALL, INPUT], 'done', true],
    ['an input that could not be read', [...CLOSED, CALL, { ...INPUT, type: 'tool-input-error' }], 'done', true],
    ['a second stream behind finish', [...WHOLE, ...OPEN], 'eof', false],
    ['anything behind error', [{ type: 'error', errorText: 'x' }, ...OPEN], 'eof', true],
  ] satisfies [string, object[], 'done' | 'eof' | 'broken', boolean][])(
    'after %s is judged (%#)',
    (_name, chunks, end, isOver) => {
      const ending = aiSdkProxyWire.createEnding({})
      for (const chunk of chunks) expect(ending.take(JSON.stringify(chunk))).toBe('log')
      if (end === 'done') expect(ending.take('[DONE]')).toBe('log')
      expect(ending.isOver(end === 'done' ? 'eof' : end)).toBe(isOver)
    },
  )

  it('logs data that is not a chunk, empty data too, so that the page reports it', () => {
    const ending = aiSdkProxyWire.createEnding({})
    expect(['', '{', '7'].map((data) => ending.take(data))).toEqual(['log', 'log', 'log'])
  })

  it('needs [DONE] unless that was the last frame', () => {
    const ending = aiSdkProxyWire.createEnding({})
    for (const data of [...CLOSED.map((chunk) => JSON.stringify(chunk)), '[DONE]']) ending.take(data)
    expect(ending.last).toEqual([])
    ending.take(JSON.stringify({ type: 'text-start', id: 'second' }))
    expect([ending.last, ending.isOver('eof')]).toEqual([['[DONE]'], false])
  })
})

describe('the chat in an address', () => {
  it.each([
    ['/api/chat/chat-1/stream', 'chat-1'],
    ['/api/chat/a%2Fb/stream', 'a/b'],
    ['/api/chat/%/stream', '%'],
    ['/stream', ''],
  ])('of %s is %j', (path, thread) => {
    const url = new URL(`https://app.test${path}`)
    expect(aiSdkProxyWire.nameToFollow(url, () => null)).toEqual({ thread, run: undefined })
  })
})
