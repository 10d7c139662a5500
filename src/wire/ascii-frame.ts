import { byteLength } from './byte-length.ts'
import type { SseFrame } from './transport.ts'

/** A frame whose data are ASCII alone: nobody has to go through them again to know their size. Otherwise as any other frame. */
export class AsciiFrame implements SseFrame {
  readonly event: string
  readonly data: string
  readonly id: string

  constructor(event: string, data: string, id: string) {
    this.event = event
    this.data = data
    this.id = id
  }
}

/**
 * What comes before the first frame of a stream. It also keeps the hidden class of frames alive: V8 throws away the machine code that
 * reads frames when a collection finds none.
 */
export const NO_FRAME = new AsciiFrame('message', '', '')

/** Bytes of the data of a frame, as UTF-8. */
export function frameBytes(frame: SseFrame): number {
  return frame instanceof AsciiFrame ? frame.data.length : byteLength(frame.data)
}
