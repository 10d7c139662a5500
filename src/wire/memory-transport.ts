import { onAbort } from '../base/on-abort.ts'
import { connectionLost, type DuplexConnection, type DuplexLimits, type DuplexTransport } from './duplex-transport.ts'
import { createFrameQueue } from './frame-queue.ts'

const CLOSED = 'The connection is closed.'

/** Two ends of one connection in memory. Frames are text, so nothing is shared between the ends. */
function createMemoryPair(limits: DuplexLimits): readonly [DuplexConnection, DuplexConnection] {
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    for (const queue of queues) queue.end()
  }
  const queues = [
    createFrameQueue({ ...limits, onClosed: close }),
    createFrameQueue({ ...limits, onClosed: close }),
  ] as const
  const end = (own: 0 | 1): DuplexConnection => ({
    frames: queues[own].frames,
    send(frame) {
      if (!isOpen) throw connectionLost(CLOSED)
      queues[own === 0 ? 1 : 0].push(frame)
    },
    get buffered() {
      return queues[own === 0 ? 1 : 0].length
    },
    close() {
      queues[own].drop()
      close()
    },
  })
  return [end(0), end(1)]
}

/**
 * A transport without a network, to an agent in the same program: frames come in order and wait until they are read.
 *
 * @param accept called with the agent's end of each connection. What it throws refuses the connection
 *
 * @example
 * ```ts
 * import { ArcpClient, memoryTransport } from 'capstan/arcp'
 *
 * const transport = memoryTransport(async ({ frames, send }) => {
 *   for await (const batch of frames) for (const frame of batch) send(frame)
 * })
 * console.log(new ArcpClient({ transport }).getState().session.phase)
 * ```
 */
export function memoryTransport(
  accept: (agent: DuplexConnection) => void | Promise<void>,
  limits: DuplexLimits = {},
): DuplexTransport {
  return {
    async connect({ signal }) {
      if (signal.aborted) throw connectionLost('The connection was given up.')
      const [page, agent] = createMemoryPair(limits)
      onAbort(signal, () => page.close())
      try {
        void Promise.resolve(accept(agent)).catch(() => agent.close())
      } catch (cause) {
        throw connectionLost('The agent refused the connection.', undefined, cause)
      }
      return page
    },
  }
}
