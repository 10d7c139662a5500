import type { GlyphName } from '../glyph.tsx'

/** How a row of the log is to be taken. */
export type Tone = 'plain' | 'bad' | 'wait' | 'ok'

/** One packet, as it came over the wire. */
export interface PacketRow {
  readonly kind: 'packet'
  readonly id: number
  /** Milliseconds since its run began. */
  readonly at: number
  readonly seq: number | undefined
  readonly op: string
  readonly brief: string
  readonly duplicate: boolean
}

/** Something that happened to the line. */
export interface NoteRow {
  readonly kind: 'note'
  readonly id: number
  readonly tone: Tone
  readonly glyph: GlyphName
  readonly text: string
}

export type LogRow = PacketRow | NoteRow

/** What the picture of the line shows of a run, in order. */
export type Mark = 'packet' | 'duplicate' | 'gap' | 'drop'

export interface WireCounts {
  /** All that arrived, duplicates too. */
  readonly packets: number
  readonly duplicates: number
  /** Places where packets never came. */
  readonly gaps: number
  readonly drops: number
}

/** Everything seen on the wire of one conversation: an immutable value. */
export interface WireSnapshot {
  readonly rows: readonly LogRow[]
  /** Of the newest run. */
  readonly marks: readonly Mark[]
  readonly counts: WireCounts
  /** Of the newest run. */
  readonly requestId: string | undefined
  readonly lastSeq: number | undefined
  /** CAP's generation, as the packets show it. */
  readonly generation: string | undefined
  /** The line is open and was told to say nothing. */
  readonly silent: boolean
}

export const emptySnapshot: WireSnapshot = {
  rows: [],
  marks: [],
  counts: { packets: 0, duplicates: 0, gaps: 0, drops: 0 },
  requestId: undefined,
  lastSeq: undefined,
  generation: undefined,
  silent: false,
}
