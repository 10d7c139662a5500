import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { bodyText, type NodeRequest } from '../../../src/server/platforms/node-call.ts'

interface Sent {
  readonly req: NodeRequest
  readonly resumed: number
  send(event: 'data', bytes: Uint8Array): void
  send(event: 'error', error: Error): void
  send(event: 'end'): void
}

function request(given: Partial<NodeRequest> = {}): Sent {
  const events = new EventEmitter()
  let resumed = 0
  const req: NodeRequest = Object.assign(events, {
    headers: {},
    complete: false,
    readableEnded: false,
    socket: {},
    pause: () => {},
    resume: () => void (resumed += 1),
    ...given,
  })
  return {
    req,
    get resumed() {
      return resumed
    },
    send: (event: string, value?: unknown) => void events.emit(event, value),
  }
}

const utf8 = new TextEncoder()

describe('the body of a Node request', () => {
  it('is read whole, wherever its characters are cut, without its byte order mark', async () => {
    const bytes = utf8.encode('\ufeffRivers 中😀')
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { req, send } = request()
      const text = bodyText(req, 100)
      send('data', bytes.subarray(0, cut))
      send('data', bytes.subarray(cut))
      send('end')
      expect(await text).toBe('Rivers 中😀')
    }
  })

  it('is empty when nothing was sent', async () => {
    const { req, send } = request()
    const text = bodyText(req, 100)
    send('end')
    expect(await text).toBe('')
  })

  it('is what a body parser of the app has made of it', async () => {
    for (const body of ['{"a":"ü"}', utf8.encode('{"a":"ü"}'), { a: 'ü' }]) {
      expect(await bodyText(request({ readableEnded: true, body }).req, 100)).toBe('{"a":"ü"}')
      await expect(bodyText(request({ readableEnded: true, body }).req, 9)).rejects.toMatchObject({
        init: { status: 413 },
      })
    }
  })

  it('that is too large is refused at the byte, and the rest of it is let go by', async () => {
    const sent = request()
    const text = bodyText(sent.req, 10)
    sent.send('data', new Uint8Array(10))
    const refused = text.catch((error: unknown) => error)
    sent.send('data', new Uint8Array(1))
    expect(await refused).toMatchObject({ init: { status: 413, code: 'request_too_large' } })
    expect(sent.resumed).toBe(1)
    sent.send('data', new Uint8Array(1_000))
    sent.send('end')
  })

  it('that is not UTF-8 is refused, and one that breaks off rejects', async () => {
    const [wrong, broken] = [request(), request()]
    const refused = bodyText(wrong.req, 10).catch((error: unknown) => error)
    wrong.send('data', new Uint8Array([0xff]))
    wrong.send('end')
    expect(await refused).toMatchObject({ init: { status: 400 } })
    const cut = bodyText(broken.req, 10).catch((error: unknown) => error)
    broken.send('error', new Error('aborted'))
    expect(await cut).toMatchObject({ message: 'aborted' })
  })
})
