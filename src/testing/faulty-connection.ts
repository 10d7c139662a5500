import { attempt } from '../base/attempt.ts'
import { noop } from '../base/noop.ts'
import { type Clock, systemClock } from '../base/ports/clock.ts'
import type { DuplexConnection } from '../wire/duplex-transport.ts'

/** One frame on its way. */
export interface FaultFrame {
  /** `out`: from the runtime to the client. */
  readonly direction: 'in' | 'out'
  readonly frame: string
  /** How many frames of this connection went in this direction before. */
  readonly index: number
  /** The number that the connection was given. */
  readonly connection: number
}

/** What happens to a frame. `swap`: it comes after the next one. `cut`: the connection breaks, and the frame is lost. */
export type Fault =
  | { readonly type: 'cut' }
  | { readonly type: 'drop' }
  | { readonly type: 'duplicate' }
  | { readonly type: 'swap' }
  | { readonly type: 'delay'; readonly ms: number }

/** Chooses a fault for each frame. Undefined: none. */
export type FaultHook = (frame: FaultFrame) => Fault | undefined

/** Frames of one direction, with their faults. */
function faultyPath(
  clock: Clock,
  choose: (frame: string) => Fault | undefined,
  pass: (frame: string) => void,
  cut: () => void,
): (frame: string) => void {
  let swapped: string | undefined
  /** Frames behind one that is delayed wait for it: the order of a connection holds. */
  const waiting: { readonly frame: string; readonly ms: number }[] = []

  function deliver(frame: string): void {
    pass(frame)
    if (swapped === undefined) return
    const before = swapped
    swapped = undefined
    pass(before)
  }
  function next(): void {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      if (first.ms > 0) {
        waiting[0] = { ...first, ms: 0 }
        clock.after(first.ms, next)
        return
      }
      waiting.shift()
      deliver(first.frame)
    }
  }

  return (frame) => {
    const fault = choose(frame)
    if (fault?.type === 'cut') return cut()
    if (fault?.type === 'drop') return
    if (fault?.type === 'swap' && swapped === undefined && waiting.length === 0) {
      swapped = frame
      return
    }
    const isFree = waiting.length === 0
    waiting.push({ frame, ms: fault?.type === 'delay' ? fault.ms : 0 })
    if (fault?.type === 'duplicate') waiting.push({ frame, ms: 0 })
    if (isFree) next()
  }
}

export interface FaultyConnectionOptions {
  /** Clock of the delays. @default the system's */
  readonly clock?: Clock | undefined
  /** A number that tells the connection from others, as `connection` of its frames. @default 0 */
  readonly connection?: number | undefined
}

/**
 * A connection whose frames are lost, doubled, delayed or swapped, or that breaks, as a function says for each frame. For tests of an
 * ARCP client or runtime.
 *
 * @example
 * ```ts
 * import { createArcpRuntime } from 'capstan/arcp/runtime'
 * import { faultyConnection } from 'capstan/testing'
 *
 * const runtime = createArcpRuntime({ tools: {} })
 * const breakAtThird = ({ index }: { index: number }) => (index === 2 ? ({ type: 'cut' } as const) : undefined)
 * export const accept: typeof runtime.accept = (connection) => runtime.accept(faultyConnection(connection, breakAtThird))
 * ```
 */
export function faultyConnection(
  connection: DuplexConnection,
  hook: FaultHook,
  { clock = systemClock, connection: number = 0 }: FaultyConnectionOptions = {},
): DuplexConnection {
  const counts = { in: 0, out: 0 }
  const choose =
    (direction: FaultFrame['direction']) =>
    (frame: string): Fault | undefined =>
      hook({ direction, frame, index: counts[direction]++, connection: number })
  const cut = (): void => connection.close()
  // A frame that was delayed may find the connection gone.
  const send = (frame: string): void => attempt(noop, () => connection.send(frame))
  const out = faultyPath(clock, choose('out'), send, cut)
  return {
    frames: read(),
    send: out,
    get buffered() {
      return connection.buffered
    },
    close: cut,
  }

  async function* read(): AsyncGenerator<readonly string[], undefined> {
    let arrived: string[] = []
    let wake: (() => void) | undefined
    let isOver = false
    const path = faultyPath(
      clock,
      choose('in'),
      (frame) => {
        arrived.push(frame)
        wake?.()
      },
      cut,
    )
    const ended = (async () => {
      for await (const batch of connection.frames) for (const frame of batch) path(frame)
    })().finally(() => {
      isOver = true
      wake?.()
    })
    // The cause is reported below.
    ended.catch(() => undefined)
    for (;;) {
      if (arrived.length > 0) {
        const batch = arrived
        arrived = []
        yield batch
      } else if (isOver) {
        await ended
        return undefined
      } else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
}
