import type { ServerResponse } from 'node:http'
import type { Clock } from '../../../src/base/ports/clock.ts'
import { drained } from '../node-fetch.ts'
import type { NetworkShape } from './network-state.ts'

/** Holds the socket of one connection and sends on it as a real network would: late, unevenly, in pieces. */
export interface ConnectionWriter {
  /** Queues something to happen on the connection, after its latency. */
  act(action: () => void): void
  /** Queues bytes. Resolves when there is space for more. */
  write(bytes: Uint8Array): Promise<void>
  /** Resolves when everything queued has left the process, or the socket is closed. */
  flush(): Promise<void>
  /** Says nothing more, or continues with what was held back. */
  setSilent(silent: boolean): void
  /** Destroys the socket after so many more bytes. */
  cutAfter(bytes: number): void
  /** Resolves when the socket is closed, by whomever. */
  readonly closed: Promise<void>
}

export interface ConnectionWriterOptions {
  readonly res: ServerResponse
  readonly shape: () => NetworkShape
  readonly clock: Clock
  readonly random: () => number
  onBytes(count: number): void
  /** The cut asked for by `cutAfter` has come. */
  onCut(): void
}

interface Queued {
  readonly due: number
  readonly bytes?: Uint8Array
  readonly action?: () => void
}

const MOST_QUEUED = 256 * 1024

export function createConnectionWriter({
  res,
  shape,
  clock,
  random,
  onBytes,
  onCut,
}: ConnectionWriterOptions): ConnectionWriter {
  const queue: Queued[] = []
  let queuedBytes = 0
  let lastDue = 0
  let pumping: Promise<void> | undefined
  /** Only bytes handed to the system reach the client once the socket is destroyed. */
  let handed: Promise<void> = Promise.resolve()
  let isClosed = false
  let cutIn: number | undefined
  let speak: (() => void) | undefined
  let voice: Promise<void> = Promise.resolve()
  const closed = new Promise<void>((resolve) => {
    res.once('close', () => {
      isClosed = true
      resolve()
    })
  })

  const enqueue = (item: Omit<Queued, 'due'>): void => {
    const { latencyMs, jitterMs } = shape()
    lastDue = Math.max(lastDue, clock.now() + latencyMs + jitterMs * random())
    queue.push({ ...item, due: lastDue })
    queuedBytes += item.bytes?.byteLength ?? 0
    pumping ??= pump()
  }

  const pump = async (): Promise<void> => {
    for (let item = queue[0]; item; item = queue[0]) {
      await until(item.due)
      await Promise.race([voice, closed])
      if (isClosed) break
      queue.shift()
      queuedBytes -= item.bytes?.byteLength ?? 0
      item.action?.()
      if (item.bytes) await send(item.bytes)
    }
    pumping = undefined
  }

  const send = async (bytes: Uint8Array): Promise<void> => {
    const cut = cutIn !== undefined && bytes.byteLength >= cutIn
    const piece = cut ? bytes.subarray(0, cutIn) : bytes
    onBytes(piece.byteLength)
    if (cutIn !== undefined) cutIn -= piece.byteLength
    let hasSpace = true
    handed = new Promise((resolve) => {
      hasSpace = res.write(piece, () => resolve())
    })
    if (cut) {
      await Promise.race([handed, closed])
      onCut()
      res.destroy()
      return
    }
    // Written in one turn, pieces would leave as one.
    if (shape().chunkBytes > 0) await new Promise(setImmediate)
    if (!hasSpace) await Promise.race([drained(res), closed])
  }

  const until = async (due: number): Promise<void> => {
    const wait = due - clock.now()
    if (wait <= 0) return
    let cancel = (): void => {}
    const passed = new Promise<void>((resolve) => {
      cancel = clock.after(wait, resolve)
    })
    await Promise.race([passed, closed])
    cancel()
  }

  return {
    closed,
    act: (action) => enqueue({ action }),
    async write(bytes) {
      const size = shape().chunkBytes || bytes.byteLength
      for (let start = 0; start < bytes.byteLength; start += size)
        enqueue({ bytes: bytes.subarray(start, start + size) })
      if (queuedBytes > MOST_QUEUED) await Promise.race([pumping, closed])
    },
    async flush() {
      await Promise.race([pumping, closed])
      await Promise.race([handed, closed])
    },
    setSilent(silent) {
      if (silent === (speak !== undefined)) return
      speak?.()
      speak = undefined
      if (!silent) return
      voice = new Promise((resolve) => {
        speak = resolve
      })
    },
    cutAfter(bytes) {
      cutIn = Math.max(1, bytes)
    },
  }
}
