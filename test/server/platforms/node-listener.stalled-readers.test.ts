import { EventEmitter } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { NodeRequest, NodeResponse } from '../../../src/server/platforms/node-call.ts'
import { toNodeListener } from '../../../src/server/platforms/node-listener.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'
import { serve } from '../peer.ts'

/** A socket that takes one piece whenever the test says so. */
class ScriptedResponse extends EventEmitter implements NodeResponse {
  readonly writes: number[] = []
  writableFinished = false
  destroyed = false
  shouldKeepAlive = true
  ended = false
  writeHead(): void {}
  flushHeaders(): void {}
  write(bytes: Uint8Array): boolean {
    this.writes.push(bytes.byteLength)
    return false
  }
  end(): void {
    this.ended = true
  }
  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

function scriptedRequest(): NodeRequest {
  return Object.assign(new EventEmitter(), {
    method: 'GET',
    url: '/',
    headers: {},
    complete: true,
    readableEnded: true,
    socket: {},
    pause: () => {},
    resume: () => {},
  })
}

describe('a socket behind Node', () => {
  const start = (
    body: Uint8Array<ArrayBuffer>,
  ): { clock: ReturnType<typeof createManualClock>; res: ScriptedResponse } => {
    const clock = createManualClock()
    const res = new ScriptedResponse()
    toNodeListener(async () => new Response(body), { clock })(scriptedRequest(), res)
    return { clock, res }
  }

  it('that does not drain for 60 s is destroyed, and one that drains slowly is not', async () => {
    const { clock, res } = start(new Uint8Array(1_000_000))
    await settle()
    for (let piece = 1; piece <= 5; piece++) {
      expect(res.writes).toHaveLength(piece)
      await clock.advance(59_999)
      res.emit('drain')
      await settle()
    }
    expect(Math.max(...res.writes)).toBeLessThanOrEqual(65_536)
    await clock.advance(59_999)
    expect(res.destroyed).toBe(false)
    await clock.advance(1)
    expect([res.destroyed, res.ended, clock.pending]).toEqual([true, false, 0])
  })

  it('is destroyed as well when only the end is not taken, and leaves no timer when it is', async () => {
    for (const taken of [true, false]) {
      const { clock, res } = start(new Uint8Array(10))
      await settle()
      res.emit('drain')
      await settle()
      expect(res.ended).toBe(true)
      if (taken) res.emit('close')
      expect(clock.pending).toBe(taken ? 0 : 1)
      await clock.advance(60_000)
      expect([res.destroyed, clock.pending]).toEqual([!taken, 0])
    }
  })

  it('of a real client that never reads is closed, and its request aborted', async () => {
    const clock = createManualClock()
    const whole = new Uint8Array(30_000_000)
    let aborted = 0
    const listener = toNodeListener(
      async (http) => {
        http.signal.addEventListener('abort', () => (aborted += 1))
        return new Response(whole)
      },
      { clock },
    )
    const origin = await serve(listener)
    const socket = connectSocket(Number(new URL(origin).port), '127.0.0.1').pause()
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await expect.poll(() => clock.pending).toBe(1)
    await clock.advance(60_000)
    await expect.poll(() => aborted).toBe(1)
    expect((await (await fetch(origin)).arrayBuffer()).byteLength).toBe(whole.byteLength)
    expect(aborted).toBe(1)
  })
})
