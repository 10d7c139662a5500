import { describe, expect, it } from 'vitest'
import { mediaTypeOf } from '../../src/wire/fetch-transport.ts'

// The rows of "extract a MIME type" in the Fetch standard and its examples.
describe('mediaTypeOf', () => {
  it.each([
    ['text/event-stream', 'text/event-stream'],
    ['text/event-stream, text/event-stream', 'text/event-stream'],
    ['application/json, text/event-stream', 'text/event-stream'],
    ['text/event-stream,application/json;charset=utf-8', 'application/json'],
    ['Text/Event-Stream ; charset="a,b", */*', 'text/event-stream'],
    ['text/event-stream;a="x, text/html', 'text/event-stream'],
    ['text/event-stream;a="x\\", text/html;b="', 'text/event-stream'],
    ['text/event-stream, junk', 'text/event-stream'],
    ['text/event-stream, ', 'text/event-stream'],
    [', text/event-stream', 'text/event-stream'],
    ['text/event-stream-ish', 'text/event-stream-ish'],
    ['*/*', ''],
    ['cannot be parsed', ''],
    ['text/', ''],
    ['', ''],
  ])('reads %j as %j', (header, essence) => {
    expect(mediaTypeOf(header)).toBe(essence)
  })

  it('reads no header as none', () => {
    expect([mediaTypeOf(null), mediaTypeOf(undefined)]).toEqual(['', ''])
  })

  it('reads a long header in linear time', () => {
    expect(mediaTypeOf(`text/html;a="${'\\'.repeat(100_000)}`)).toBe('text/html')
  })
})
