import { isRecord } from '../../base/guards.ts'

/** The size of a picture, in pixels, at its own scale. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** `lost`: the frame gave no answer in time, or has no mermaid. */
export type FrameEvent =
  | { readonly type: 'drawn'; readonly source: string; readonly size: PictureSize }
  | { readonly type: 'failed'; readonly source: string }
  | { readonly type: 'lost' }

export interface FrameConnection {
  /** Draws a source. While another is drawn it waits, and the last that waits is the next. */
  draw(source: string, theme: string): void
  stop(): void
}

interface Request {
  readonly source: string
  readonly theme: string
}

/** No picture is larger, whatever the frame says. */
const LARGEST = 20_000

function sizeOf(message: Readonly<Record<string, unknown>>): PictureSize | undefined {
  const { width, height } = message
  const isSize = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= LARGEST
  return isSize(width) && isSize(height) ? { width, height } : undefined
}

/**
 * Speaks with the document that a frame loads first, over a channel that no other window has: a document that came to the frame later
 * gets nothing and is not heard.
 */
export function connectFrame(
  frame: HTMLIFrameElement,
  timeoutMs: number,
  listen: (event: FrameEvent) => void,
): FrameConnection {
  const { port1, port2 } = new MessageChannel()
  let isReady = false
  let count = 0
  let drawn: Request | undefined
  let next: Request | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const lose = (): void => {
    stop()
    listen({ type: 'lost' })
  }
  const expectAnswer = (): void => {
    clearTimeout(timer)
    timer = setTimeout(lose, timeoutMs)
  }
  const send = (): void => {
    if (!isReady || drawn || !next) return
    drawn = next
    next = undefined
    count += 1
    expectAnswer()
    port1.postMessage({ id: count, ...drawn })
  }
  const read = ({ data }: MessageEvent<unknown>): void => {
    if (!isRecord(data)) return
    if (data['type'] === 'missing') return lose()
    if (data['type'] === 'ready' && !isReady) {
      isReady = true
      clearTimeout(timer)
      return send()
    }
    if (!drawn || data['id'] !== count) return
    const { source } = drawn
    const size = data['type'] === 'drawn' ? sizeOf(data) : undefined
    drawn = undefined
    clearTimeout(timer)
    listen(size ? { type: 'drawn', source, size } : { type: 'failed', source })
    send()
  }
  const hand = (): void => {
    // The frame has no origin that could be named.
    frame.contentWindow?.postMessage('capstan-diagram', '*', [port2])
  }
  function stop(): void {
    clearTimeout(timer)
    frame.removeEventListener('load', hand)
    port1.close()
  }

  port1.addEventListener('message', read)
  port1.start()
  frame.addEventListener('load', hand, { once: true })
  expectAnswer()
  return {
    draw(source, theme) {
      next = { source, theme }
      send()
    },
    stop,
  }
}
