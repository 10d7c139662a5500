// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FrameConnection, type FrameEvent, connectFrame } from '../../src/components/create-diagram.tsx'

let events: FrameEvent[]
let frame: HTMLIFrameElement
let connection: FrameConnection
let handed: MessagePort[]

/** One end of a channel that delivers at once. */
class FakePort extends EventTarget {
  other: FakePort | undefined
  closed = false
  readonly sent: unknown[] = []
  postMessage(data: unknown): void {
    this.sent.push(data)
    if (!this.closed) this.other?.dispatchEvent(new MessageEvent('message', { data }))
  }
  start(): void {}
  close(): void {
    this.closed = true
  }
}

class FakeChannel {
  readonly port1 = new FakePort()
  readonly port2 = new FakePort()
  constructor() {
    this.port1.other = this.port2
    this.port2.other = this.port1
    ends = [this.port1, this.port2]
  }
}

let ends: FakePort[] = []
const said = (): unknown[] => ends[0]?.sent ?? []
const answer = (data: unknown): void => ends[1]?.postMessage(data)

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('MessageChannel', FakeChannel)
  events = []
  handed = []
  frame = document.createElement('iframe')
  Object.defineProperty(frame, 'contentWindow', {
    value: { postMessage: (_: unknown, __: string, ports: MessagePort[]) => handed.push(...ports) },
  })
  connection = connectFrame(frame, 1000, (event) => events.push(event))
})

afterEach(() => {
  connection.stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the connection with a frame', () => {
  it('hands its port to the first document only', () => {
    frame.dispatchEvent(new Event('load'))
    frame.dispatchEvent(new Event('load'))
    expect(handed).toHaveLength(1)
  })

  it('draws when the frame is ready, and while it draws keeps the last source that waits', () => {
    connection.draw('a', 'light')
    expect(said()).toEqual([])
    answer({ type: 'ready' })
    connection.draw('b', 'light')
    connection.draw('c', 'dark')
    expect(said()).toEqual([{ id: 1, source: 'a', theme: 'light' }])
    answer({ type: 'drawn', id: 1, width: 10, height: 20 })
    expect(events).toEqual([{ type: 'drawn', source: 'a', size: { width: 10, height: 20 } }])
    expect(said()).toEqual([
      { id: 1, source: 'a', theme: 'light' },
      { id: 2, source: 'c', theme: 'dark' },
    ])
    answer({ type: 'failed', id: 2 })
    expect(events.at(-1)).toEqual({ type: 'failed', source: 'c' })
  })

  it.each([
    ['text', 'drawn'],
    ['nothing', undefined],
    ['a list', []],
    ['the answer to something else', { type: 'drawn', id: 7, width: 10, height: 20 }],
  ])('takes no notice of %s', (_, data) => {
    answer({ type: 'ready' })
    connection.draw('a', 'light')
    answer(data)
    expect(events).toEqual([])
  })

  it.each([
    { width: 0, height: 10 },
    { width: 10, height: -1 },
    { width: Number.NaN, height: 10 },
    { width: 10, height: 1e9 },
    { width: '10', height: 10 },
    {},
  ])('takes no picture of an impossible size: %o', (size) => {
    answer({ type: 'ready' })
    connection.draw('a', 'light')
    answer({ type: 'drawn', id: 1, ...size })
    expect(events).toEqual([{ type: 'failed', source: 'a' }])
  })

  it('gives up a frame that does not load, draws for too long, or has no mermaid', () => {
    vi.advanceTimersByTime(1000)
    expect(events).toEqual([{ type: 'lost' }])

    connection = connectFrame(frame, 1000, (event) => events.push(event))
    answer({ type: 'ready' })
    vi.advanceTimersByTime(5000)
    expect(events).toHaveLength(1)
    connection.draw('a', 'light')
    vi.advanceTimersByTime(1000)
    expect(events).toEqual([{ type: 'lost' }, { type: 'lost' }])

    connection = connectFrame(frame, 1000, (event) => events.push(event))
    answer({ type: 'missing' })
    expect(events).toHaveLength(3)
  })

  it('says nothing when it is stopped', () => {
    connection.stop()
    vi.advanceTimersByTime(5000)
    expect(events).toEqual([])
    expect(ends[0]?.closed).toBe(true)
  })
})
