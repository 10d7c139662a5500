import type { GlyphName } from '../glyph.tsx'
import type { AttemptEnding } from './recording.ts'

/** How a row of the log is to be taken. */
export type Tone = 'plain' | 'bad' | 'wait' | 'ok'

/** One packet, unchanged over the wire. */
export interface PacketRow {
  readonly kind: 'packet'
  readonly id: number
  /** Milliseconds since its run began. */
  readonly at: number
  readonly seq: number | undefined
  readonly op: string
  readonly brief: string
  readonly duplicate: boolean
  /** As it was sent. */
  readonly data: string
}

/** Something that happened to the connection. */
export interface NoteRow {
  readonly kind: 'note'
  readonly id: number
  readonly tone: Tone
  readonly glyph: GlyphName
  readonly text: string
  /** For a wait that is counted down in the row while it lasts. */
  readonly countdown?: NoteCountdown | undefined
}

/** A wait of the client. */
export interface NoteCountdown {
  /** `Clock.now()` of its end. */
  readonly until: number
  readonly text: (leftMs: number) => string
}

export type LogRow = PacketRow | NoteRow

/** What a picture of the run has a shape for. `other`: a frame that holds no packet, or an answer in one piece. */
export type MarkKind = 'delta' | 'event' | 'warning' | 'error' | 'close' | 'other' | 'gap' | 'drop'

/** Something on the connection, at its time and in its stream. */
export interface Mark {
  readonly kind: MarkKind
  /** Milliseconds since the run began. */
  readonly at: number
  /** Absent: it concerns the connection as a whole. */
  readonly streamId?: string | undefined
  /** Came before, and was left out. */
  readonly replay?: boolean
  /** The packet's row in the log. */
  readonly row?: number | undefined
  /** In words, where the shape needs some: the numbers of a gap, the code of an error. */
  readonly label?: string | undefined
}

/** One connection of the run, for as long as it was open. */
export interface WireAttempt {
  /** Milliseconds since the run began. */
  readonly at: number
  readonly status?: number | undefined
  readonly endedAt?: number | undefined
  readonly ending?: AttemptEnding | undefined
  /** How long the client meant to wait after it, in milliseconds. */
  readonly waitMs?: number | undefined
}

export interface WireCounts {
  /** All that arrived, duplicates too. */
  readonly packets: number
  readonly duplicates: number
  /** Places where packets never came. */
  readonly gaps: number
  readonly drops: number
}

/** How many milliseconds one bar of bytes stands for. */
export const BYTES_EVERY_MS = 100

/** The newest run of a conversation. */
export interface WireRun {
  readonly requestId: string | undefined
  /** `Clock.now()` of its beginning. */
  readonly startedAt: number
  readonly marks: readonly Mark[]
  readonly attempts: readonly WireAttempt[]
  /** Bytes that came, by steps of {@link BYTES_EVERY_MS}. */
  readonly bytes: readonly number[]
  readonly lastSeq: number | undefined
}

/** Everything seen on the wire of one conversation: an immutable value. */
export interface WireSnapshot {
  readonly rows: readonly LogRow[]
  readonly run: WireRun
  readonly counts: WireCounts
  /** CAP's generation, as the packets show it. */
  readonly generation: string | undefined
  /** The connection is open and was told to say nothing. */
  readonly silent: boolean
}

export const noRun: WireRun = {
  requestId: undefined,
  startedAt: 0,
  marks: [],
  attempts: [],
  bytes: [],
  lastSeq: undefined,
}

export const emptySnapshot: WireSnapshot = {
  rows: [],
  run: noRun,
  counts: { packets: 0, duplicates: 0, gaps: 0, drops: 0 },
  generation: undefined,
  silent: false,
}
