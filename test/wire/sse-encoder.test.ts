import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AgentError } from '../../src/base/agent-error.ts'
import { createSseDecoder } from '../../src/wire/sse-decoder.ts'
import { encodeSseComment, encodeSseFrame } from '../../src/wire/sse-encoder.ts'
import type { SseFrame } from '../../src/wire/transport.ts'

function decode(text: string): SseFrame[] {
  const frames: SseFrame[] = []
  createSseDecoder({ onFrame: (frame) => frames.push(frame), maxFrameBytes: 1_000_000 }).push(
    new TextEncoder().encode(text),
  )
  return frames
}

describe('a server that writes frames', () => {
  it('writes id, event and data, each on a line, and a blank line', () => {
    expect(encodeSseFrame({ id: 'a', event: 'stream.packet', data: '{"seq":1}' })).toBe(
      'id: a\nevent: stream.packet\ndata: {"seq":1}\n\n',
    )
  })

  it('leaves out what it was not given', () => {
    expect(encodeSseFrame({ data: '' })).toBe('data: \n\n')
    expect(decode(encodeSseFrame({ data: '' }))).toEqual([{ id: '', event: 'message', data: '' }])
  })

  it('splits data at every kind of line break, so that no text can begin a field', () => {
    const frame = encodeSseFrame({ data: 'one\ntwo\r\nid: three\revent: four' })
    expect(decode(frame)).toEqual([{ id: '', event: 'message', data: 'one\ntwo\nid: three\nevent: four' }])
  })

  it('refuses an id or event that would begin another field', () => {
    for (const bad of ['a\nb', 'a\rb', 'a\0b']) {
      expect(() => encodeSseFrame({ id: bad, data: '' })).toThrow(AgentError)
      expect(() => encodeSseFrame({ event: bad, data: '' })).toThrow('one line')
    }
  })

  it('writes comments that no client takes for a frame', () => {
    expect(encodeSseComment('heartbeat')).toBe(': heartbeat\n\n')
    expect(decode(encodeSseComment('a\ndata: b'))).toEqual([])
  })

  it('gives back what went in, whatever the text', () => {
    assert(
      property(string({ unit: 'grapheme' }), (data) => {
        const [frame] = decode(encodeSseFrame({ data }))
        expect(frame?.data).toBe(data.replaceAll(/\r\n|\r/g, '\n'))
      }),
    )
  })
})
