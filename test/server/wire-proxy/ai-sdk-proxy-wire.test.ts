import { describe, expect, it } from 'vitest'
import { aiSdkProxyWire } from '../../../src/server/wire-proxy/ai-sdk-proxy-wire.ts'
import type { BodyEnd } from '../../../src/server/wire-proxy/proxy-wire.ts'
import { textAnswer } from '../../support/ai-sdk-server.ts'

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
  ] satisfies [string, object[], BodyEnd, boolean][])('after %s is judged (%#)', (_name, chunks, end, isOver) => {
    const ending = aiSdkProxyWire.createEnding({})
    for (const chunk of chunks) expect(ending.take(JSON.stringify(chunk))).toBe('log')
    expect(ending.isOver(end)).toBe(isOver)
  })

  it('passes on what is no chunk, leaves out what says nothing, and ends with [DONE]', () => {
    const ending = aiSdkProxyWire.createEnding({})
    expect(['', '{', '7', '[DONE]'].map((data) => ending.take(data))).toEqual(['skip', 'log', 'log', 'end'])
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
