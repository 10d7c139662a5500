import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { expect } from 'vitest'
import type { Heard, Script } from './hear.ts'

/** What every transport must make of a server: told once, run wherever a transport runs. */
export interface Story {
  readonly name: string
  readonly asking?: Partial<Script>
  readonly maxFrameBytes?: number
  /** How the server answers. `heard` resolves when the listener has reported one batch more. */
  answer(response: ServerResponse, heard: () => Promise<void>): void | Promise<void>
  /** What is left to say of what came of it. */
  check(heard: Heard & { readonly frames: readonly unknown[] }, seen: readonly SeenRequest[]): void
  /** How many requests the server sees; 1 when left out. */
  readonly requests?: number
  /** The server sees the connection go before it has ended it. */
  readonly letsGo?: boolean
}

export interface SeenRequest {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** One story on a server: mount the listener, let the listener hear, then ask for the verdict. */
export interface Stage {
  readonly listener: RequestListener
  judge(heard: Heard): Promise<void>
}

export function stage(story: Story): Stage {
  const seen: SeenRequest[] = []
  let told = 0
  let wake = (): void => {}
  let left = (): void => {}
  const gone = new Promise<void>((resolve) => {
    left = resolve
  })
  let awaited = 0
  const heard = async (): Promise<void> => {
    awaited += 1
    while (told < awaited) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    listener(request, response) {
      if (request.url?.endsWith('?heard')) {
        told += 1
        wake()
        response.writeHead(204).end()
        return
      }
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        seen.push({ method: request.method, headers: request.headers, body })
        response.on('close', () => {
          if (!response.writableEnded) left()
        })
        void story.answer(response, heard)
      })
    },
    async judge(said) {
      if (said.error) expect(said.error).toMatchObject({ typed: true })
      story.check({ ...said, frames: said.batches.flat() }, seen)
      expect(seen).toHaveLength(story.requests ?? 1)
      if (story.letsGo) await gone
    },
  }
}

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' }
const message = (data: string, id = ''): unknown => ({ event: 'message', data, id })
const LINE_BROKE = { kind: 'connection', code: 'network_error', severity: 'TRANSIENT' }

async function writeBytes(response: ServerResponse, text: string): Promise<void> {
  for (const byte of Buffer.from(text)) {
    await new Promise((resolve) => response.write(Uint8Array.of(byte), resolve))
    await new Promise(setImmediate)
  }
}

export const STORIES: readonly Story[] = [
  {
    name: 'hands on whole frames, however the server writes',
    async answer(response) {
      response.writeHead(200, STREAM)
      await writeBytes(
        response,
        'id: s1\r\ndata: {"p":"Flüsse"}\r\n\r\n: ping\r\n\r\nevent: stream.packet\r\ndata: 2\r\ndata: 3\r\n\r\n',
      )
      response.end()
    },
    check: ({ answer, frames, error }) => {
      expect(answer).toEqual({ kind: 'events', status: 200, contentType: 'text/event-stream', retryAfter: null })
      expect(frames).toEqual([message('{"p":"Flüsse"}', 's1'), { event: 'stream.packet', data: '2\n3', id: 's1' }])
      expect(error).toBeUndefined()
    },
  },
  {
    name: 'gives one array per chunk, an empty one for a comment',
    asking: { tell: true },
    async answer(response, heard) {
      response.writeHead(200, STREAM)
      for (const chunk of ['id: 1\ndata: a\n\ndata: b\n\n', ': ping\n\n', 'data: c', '\n\n']) {
        response.write(chunk)
        await heard()
      }
      response.end()
    },
    check: ({ batches, error }) => {
      expect(batches).toEqual([[message('a', '1'), message('b', '1')], [], [], [message('c', '1')]])
      expect(error).toBeUndefined()
    },
  },
  {
    name: 'ends without an error and without the half frame when the server ends in the middle of one',
    answer: (response) => void response.writeHead(200, STREAM).end('retry: 1\nid: 1\ndata: whole\n\nid: 2\ndata: ha'),
    check: ({ frames, error }) => {
      expect(frames).toEqual([message('whole', '1')])
      expect(error).toBeUndefined()
    },
  },
  {
    name: 'gives what was whole and then a typed error when the socket is cut',
    asking: { tell: true },
    async answer(response, heard) {
      response.writeHead(200, STREAM)
      response.write('retry: 1\ndata: whole\n\nid: 2\ndata: ha')
      await heard()
      response.destroy()
    },
    check: ({ frames, error }) => {
      expect(frames).toEqual([message('whole')])
      expect(error).toMatchObject(LINE_BROKE)
    },
  },
  {
    name: 'types a connection that breaks before any answer',
    answer: (response) => void response.destroy(),
    check: ({ answer, error }) => {
      expect(answer).toBeUndefined()
      expect(error).toMatchObject(LINE_BROKE)
    },
  },
  {
    name: 'stops reading at a frame over the limit, keeping those before it',
    maxFrameBytes: 1000,
    answer: (response) =>
      void response.writeHead(200, STREAM).end(`data: ok\n\ndata: ${'x'.repeat(5000)}\n\ndata: after\n\n`),
    check: ({ frames, error }) => {
      expect(frames).toEqual([message('ok')])
      expect(error).toMatchObject({
        kind: 'protocol',
        code: 'frame_too_large',
        severity: 'FATAL',
        details: { maxFrameBytes: 1000 },
      })
    },
  },
  {
    name: 'counts the bytes of a frame, not its characters',
    maxFrameBytes: 1000,
    answer: (response) =>
      void response.writeHead(200, STREAM).end(`data: ${'🌊'.repeat(200)}\n\ndata: ${'🌊'.repeat(251)}\n\n`),
    check: ({ frames, error }) => {
      expect(frames).toEqual([message('🌊'.repeat(200))])
      expect(error).toMatchObject({ code: 'frame_too_large' })
    },
  },
  ...['x'.repeat(200), `data: ${'x'.repeat(200)}\n`].map((piece, index): Story => ({
    name: index === 0 ? 'gives up on a line that never ends' : 'gives up on data lines that never end',
    maxFrameBytes: 10_000,
    async answer(response) {
      response.writeHead(200, STREAM)
      response.write('data: ok\n\ndata: ')
      while (!response.destroyed) {
        response.write(piece)
        await new Promise(setImmediate)
      }
    },
    letsGo: true,
    check: ({ frames, error }) => {
      expect(frames).toEqual([message('ok')])
      expect(error).toMatchObject({ code: 'frame_too_large' })
    },
  })),
  {
    name: 'reads a line of a megabyte in small chunks',
    async answer(response) {
      response.writeHead(200, STREAM)
      response.write('data: ')
      for (let kilobyte = 0; kilobyte < 1024; kilobyte += 1) {
        if (!response.write('0123456789abcdef'.repeat(64)))
          await new Promise((resolve) => response.once('drain', resolve))
      }
      response.end('\n\n')
    },
    check: ({ frames, error }) => {
      expect(frames).toEqual([message('0123456789abcdef'.repeat(65_536))])
      expect(error).toBeUndefined()
    },
  },
  ...[401, 429, 500, 503].map((status): Story => ({
    name: `takes status ${status} as it is, whatever its content type, and asks once`,
    answer: (response) =>
      void response.writeHead(status, { ...STREAM, 'retry-after': '7' }).end('data: not for you\n\n'),
    check: ({ answer, text, batches }) => {
      expect(answer).toEqual({ kind: 'body', status, contentType: 'text/event-stream', retryAfter: '7' })
      expect(text).toBe('data: not for you\n\n')
      expect(batches).toEqual([])
    },
  })),
  {
    name: 'takes an answer without content for a body, once',
    answer: (response) => void response.writeHead(204).end(),
    check: ({ answer, text }) => {
      expect(answer).toMatchObject({ kind: 'body', status: 204, contentType: '' })
      expect(text).toBe('')
    },
  },
  ...['text/event-stream, text/event-stream', 'application/json, text/event-stream'].map((contentType): Story => ({
    name: `reads an event stream whose content type is ${contentType}`,
    answer: (response) => void response.writeHead(200, { 'content-type': contentType }).end('data: x\n\n'),
    check: ({ frames, error }) => {
      expect(frames).toEqual([message('x')])
      expect(error).toBeUndefined()
    },
  })),
  {
    name: 'leaves a page of HTML to whoever asked',
    answer: (response) =>
      void response.writeHead(200, { 'content-type': 'Text/HTML; charset=utf-8' }).end('<title>Sign in</title>'),
    check: ({ answer, text }) => {
      expect(answer).toMatchObject({ kind: 'body', status: 200, contentType: 'text/html' })
      expect(text).toBe('<title>Sign in</title>')
    },
  },
  {
    name: 'bounds a body by an error',
    asking: { limit: { maxBytes: 1000 } },
    answer: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(5000)),
    check: ({ text, error }) => {
      expect(text).toBeUndefined()
      expect(error).toMatchObject({ kind: 'protocol', code: 'response_too_large', details: { maxBytes: 1000 } })
    },
  },
  {
    name: 'bounds a body by cutting it when asked to',
    asking: { limit: { maxBytes: 1000, truncate: true } },
    answer: (response) => void response.writeHead(500, { 'content-type': 'application/json' }).end('x'.repeat(5000)),
    check: ({ text, error }) => {
      expect(text).toBe('x'.repeat(1000))
      expect(error).toBeUndefined()
    },
  },
  {
    name: 'sends what it was given and nothing of its own',
    asking: {
      headers: {
        'Content-Type': 'application/json',
        Accept: 'text/event-stream, application/json',
        'X-Request-Id': 'r1',
        'last-event-id': '41',
      },
      body: '{"query":"Flüsse"}',
    },
    answer: (response) => void response.writeHead(200, STREAM).end('id: 42\ndata: x\n\n'),
    check: ({ frames }, [seen]) => {
      expect(frames).toEqual([message('x', '42')])
      expect(seen).toMatchObject({
        method: 'POST',
        body: '{"query":"Flüsse"}',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          'x-request-id': 'r1',
          'last-event-id': '41',
        },
      })
    },
  },
  {
    name: 'asks without a body and without a wish of its own',
    asking: { method: 'GET' },
    answer: (response) => void response.writeHead(200, STREAM).end('data: x\n\n'),
    check: ({ frames }, [seen]) => {
      // The id that was sent is not an id the stream gave.
      expect(frames).toEqual([message('x')])
      expect(seen).toMatchObject({ method: 'GET', body: '', headers: { accept: '*/*' } })
    },
  },
  {
    name: 'asks nothing when it was aborted before',
    asking: { abort: 'before sending' },
    answer: (response) => void response.writeHead(200, STREAM).end('data: x\n\n'),
    requests: 0,
    check: ({ answer, error }) => {
      expect(answer).toBeUndefined()
      expect(error).toMatchObject(LINE_BROKE)
    },
  },
  {
    name: 'stops with a typed error and lets go of the socket when it is aborted',
    asking: { abort: 'after a frame' },
    answer: (response) => void response.writeHead(200, STREAM).write('data: 1\n\n'),
    letsGo: true,
    check: ({ frames, error }) => {
      expect(frames).toEqual([message('1')])
      expect(error).toMatchObject(LINE_BROKE)
    },
  },
  {
    name: 'lets go of the socket when the reader leaves',
    asking: { leave: true },
    answer: (response) => void response.writeHead(200, STREAM).write('data: 1\n\n'),
    letsGo: true,
    check: ({ frames, error }) => {
      expect(frames).toEqual([message('1')])
      expect(error).toBeUndefined()
    },
  },
  {
    name: 'stays on the line when the tab is left and shown again',
    asking: { switchTabs: true, tell: true },
    async answer(response, heard) {
      response.writeHead(200, STREAM)
      response.write('data: 1\n\n')
      await heard()
      response.end('data: 2\n\n')
    },
    check: ({ frames, error }) => {
      expect(frames).toEqual([message('1'), message('2')])
      expect(error).toBeUndefined()
    },
  },
]
