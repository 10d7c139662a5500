import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** `pause` on a platform that has these globals when it loads. */
async function pauseOn(globals: Readonly<Record<string, unknown>>): Promise<() => Promise<void>> {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  vi.resetModules()
  return (await import('../../src/wire/fetch-transport.ts')).yieldToEventLoop
}

function countingChannels() {
  const counts = { made: 0, closed: 0 }
  class Channel {
    readonly port1: { close(): void; start(): void; addEventListener(type: string, listener: () => void): void }
    readonly port2: { postMessage(): void }

    constructor() {
      counts.made += 1
      let heard = (): void => {}
      this.port1 = {
        close: () => void (counts.closed += 1),
        start: () => {},
        addEventListener: (_type, listener) => (heard = listener),
      }
      this.port2 = { postMessage: () => queueMicrotask(heard) }
    }
  }
  return { counts, Channel }
}

describe('a pause', () => {
  it('makes no channel where there is setImmediate', async () => {
    const { counts, Channel } = countingChannels()
    const pause = await pauseOn({ MessageChannel: Channel })
    await pause()
    expect(counts.made).toBe(0)
  })

  it('continues under fake timers that were installed after the module was loaded', async () => {
    const pause = await pauseOn({})
    vi.useFakeTimers()
    try {
      await pause()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is a message of a channel on a page, which is closed again', async () => {
    const { counts, Channel } = countingChannels()
    const pause = await pauseOn({ setImmediate: undefined, MessageChannel: Channel })
    await pause()
    expect(counts).toEqual({ made: 1, closed: 1 })
  })

  it('is a timer where there is neither', async () => {
    const pause = await pauseOn({ setImmediate: undefined, MessageChannel: undefined })
    await pause()
  })
})
