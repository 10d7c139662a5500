/** How much of a run's answer went out, so that a server that does not replay from the start can be played. */
export interface SentFrames {
  /** Passes on the frames that did not go out before with the last few that did, or all of them; comments always. */
  unsent(frames: AsyncIterable<string>, all: boolean): AsyncIterable<string>
  /** Text was given to the socket's queue. */
  queued(text: string): void
  /** So many bytes more left the queue. */
  left(bytes: number): void
}

/** A broken connection may lose what was the last to go out: so many packets are sent again. */
const AGAIN = 4

/** The frames of each run that were sent whole, by its request id. */
export function createSentFrames(): { open(requestId: string): SentFrames; forget(requestId?: string): void } {
  const sent = new Map<string, number>()
  return {
    open(requestId) {
      const waiting: { readonly end: number; readonly frame: number }[] = []
      let [current, queuedBytes, leftBytes] = [0, 0, 0]
      return {
        async *unsent(frames, all) {
          const before = (sent.get(requestId) ?? 0) - AGAIN
          for await (const frame of frames) {
            const isPacket = !frame.startsWith(':')
            if (isPacket) current += 1
            if (all || !isPacket || current > before) yield frame
          }
        },
        queued(text) {
          queuedBytes += Buffer.byteLength(text)
          // Half a frame is none: a cut may be inside of it.
          if (text.endsWith('\n\n') && !text.startsWith(':')) waiting.push({ end: queuedBytes, frame: current })
        },
        left(bytes) {
          leftBytes += bytes
          while (waiting[0] !== undefined && waiting[0].end <= leftBytes)
            sent.set(requestId, Math.max(sent.get(requestId) ?? 0, waiting.shift()?.frame ?? 0))
        },
      }
    },
    forget(requestId) {
      if (requestId === undefined) sent.clear()
      else sent.delete(requestId)
    },
  }
}
