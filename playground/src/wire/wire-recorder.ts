import type { Clock, Frames, SseFrame } from '../../../src/index.ts'
import { createSseDecoder } from '../../../src/wire/sse-decoder.ts'
import type { GlyphName } from '../glyph.tsx'
import type { Readable } from '../store.ts'
import { createStore } from '../store.ts'
import { createFrameBytes } from './frame-bytes.ts'
import { packetBrief } from './packet-brief.ts'
import type { PacketReader } from './packet-reader.ts'
import { createPacketReader } from './packet-reader.ts'
import type { AttemptEnding, RecordedAttempt, RecordedRun } from './recording.ts'
import type { LogRow, Mark, PacketRow, Tone, WireCounts, WireSnapshot } from './wire-snapshot.ts'
import { emptySnapshot } from './wire-snapshot.ts'

/** Writes down one attempt. What comes after its ending, or after a reset, is ignored. */
export interface AttemptRecorder {
  readonly hasEnded: boolean
  answered(status: number, contentType: string): void
  bytes(chunk: Uint8Array): void
  ended(how: AttemptEnding): void
}

/** Everything seen on the wire of the conversation on the page. Publishes at most once a frame. */
export interface WireRecorder extends Readable<WireSnapshot> {
  attempt(call: { readonly url: string; readonly requestId: string }): AttemptRecorder
  note(tone: Tone, glyph: GlyphName, text: string): void
  /** The client gave a line up that had not ended by itself. */
  droppedByClient(text: string): void
  /** The open line was told to be silent, or to speak again. */
  silence(on: boolean): void
  /** A new conversation begins. */
  reset(): void
  /** Empties the log; counts and recording stay. */
  clearRows(): void
  runs(): readonly RecordedRun[]
}

interface Run {
  readonly record: RecordedRun
  readonly reader: PacketReader
  readonly startedAt: number
}

const MOST_ROWS = 600
const MOST_FRAME_BYTES = 10_000_000

export function createWireRecorder({ clock, frames }: { readonly clock: Clock; readonly frames: Frames }): WireRecorder {
  const store = createStore(emptySnapshot)
  let runs: Run[] = []
  let draft: { -readonly [Key in keyof WireSnapshot]: WireSnapshot[Key] } = emptySnapshot
  let fresh: LogRow[] = []
  let freshMarks: Mark[] = []
  let nextId = 0
  let scheduled = false

  function publish(): void {
    scheduled = false
    draft = { ...draft, rows: [...draft.rows, ...fresh].slice(-MOST_ROWS), marks: [...draft.marks, ...freshMarks] }
    fresh = []
    freshMarks = []
    store.set(draft)
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    frames.next(publish)
  }

  function change(values: Partial<WireSnapshot>): void {
    draft = { ...draft, ...values }
    schedule()
  }

  const count = (name: keyof WireCounts): void => change({ counts: { ...draft.counts, [name]: draft.counts[name] + 1 } })

  function note(tone: Tone, glyph: GlyphName, text: string): void {
    fresh.push({ kind: 'note', id: nextId++, tone, glyph, text })
    schedule()
  }

  function packetRow(run: Run, row: Pick<PacketRow, 'seq' | 'op' | 'brief' | 'duplicate'>): void {
    fresh.push({ kind: 'packet', id: nextId++, at: clock.now() - run.startedAt, ...row })
    schedule()
  }

  function drop(text: string): void {
    freshMarks.push('drop')
    count('drops')
    note('bad', 'cut', text)
  }

  function runOf(url: string, requestId: string): Run {
    const known = runs.find(({ record }) => record.requestId === requestId)
    if (known !== undefined) return known
    const record: RecordedRun = { requestId, url, startedAt: new Date(clock.date()).toISOString(), attempts: [] }
    const run: Run = { record, reader: createPacketReader(), startedAt: clock.now() }
    runs = [...runs, run]
    freshMarks = []
    change({ requestId, marks: [], lastSeq: undefined })
    return run
  }

  function takeFrame(run: Run, attempt: RecordedAttempt, frame: SseFrame): void {
    attempt.frames.push({ at: Math.round(clock.now() - run.startedAt), ...frame })
    const { packet, verdict, missing } = run.reader.read(frame)
    const duplicate = verdict === 'duplicate'
    count('packets')
    if (duplicate) count('duplicates')
    if (verdict === 'restarted') note('wait', 'retry', 'New stream: the answer begins again')
    for (const { after, before } of missing) {
      const lost = before - after - 1
      count('gaps')
      freshMarks.push('gap')
      note('wait', 'cut', lost === 1 ? `Packet ${after + 1} never came` : `Packets ${after + 1} to ${before - 1} never came`)
    }
    freshMarks.push(duplicate ? 'duplicate' : 'packet')
    if (packet === undefined) return packetRow(run, { seq: undefined, op: '?', brief: frame.data.slice(0, 120), duplicate: false })
    if (!duplicate) change({ lastSeq: packet.seq, generation: packet.generation })
    packetRow(run, { seq: packet.seq, op: packet.op, brief: duplicate ? 'duplicate, ignored' : packetBrief(packet), duplicate })
  }

  function record(run: Run): AttemptRecorder {
    const attempt: RecordedAttempt = { at: Math.round(clock.now() - run.startedAt), bytes: 0, frames: [] }
    run.record.attempts.push(attempt)
    run.reader.next()
    const number = run.record.attempts.length
    const torn = createFrameBytes()
    const utf8 = new TextDecoder()
    const decoder = createSseDecoder({ maxFrameBytes: MOST_FRAME_BYTES, onFrame: (frame) => takeFrame(run, attempt, frame) })
    const isCurrent = (): boolean => attempt.ending === undefined && runs.includes(run)
    if (number === 1) note('plain', 'up', `POST ${run.record.url}`)

    const cutText = (): string => {
      const last = draft.lastSeq
      if (torn.torn > 0) return `Dropped inside packet${last === undefined ? '' : ` ${last + 1}`}, after ${torn.torn} bytes of it`
      return last === undefined ? 'Dropped before the first packet' : `Dropped after packet ${last}`
    }

    return {
      get hasEnded() {
        return attempt.ending !== undefined
      },
      answered(status, contentType) {
        if (!isCurrent()) return
        attempt.status = status
        attempt.contentType = contentType
        if (status >= 400) note('bad', 'fatal', `HTTP ${status}`)
        else if (number > 1) note('ok', 'link', `Connected again, attempt ${number}`)
      },
      bytes(chunk) {
        if (!isCurrent()) return
        attempt.bytes += chunk.byteLength
        if (attempt.contentType?.startsWith('text/event-stream')) {
          torn.push(chunk)
          decoder.push(chunk)
        } else attempt.body = (attempt.body ?? '') + utf8.decode(chunk, { stream: true })
      },
      ended(how) {
        if (attempt.ending !== undefined) return
        const current = isCurrent()
        attempt.ending = how
        attempt.endedAt = Math.round(clock.now() - run.startedAt)
        if (!current) return
        if (draft.silent) change({ silent: false })
        if (how === 'dropped') drop(cutText())
        if (how === 'unreachable') note('bad', 'cut', 'No connection')
        if (how === 'finished' && attempt.body !== undefined && attempt.status === 200) {
          count('packets')
          freshMarks.push('packet')
          packetRow(run, { seq: undefined, op: 'JSON', brief: attempt.body.slice(0, 120), duplicate: false })
        }
        if (how === 'finished' && attempt.body === undefined && attempt.status === 200 && !run.reader.settled) drop('Ended without CLOSE')
      },
    }
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    note,
    droppedByClient: drop,
    silence(on) {
      if (draft.silent === on) return
      change({ silent: on })
      note(on ? 'wait' : 'plain', 'silence', on ? 'Silent: open, and nothing comes' : 'Speaks again')
    },
    attempt: ({ url, requestId }) => record(runOf(url, requestId)),
    reset() {
      runs = []
      fresh = []
      freshMarks = []
      draft = emptySnapshot
      schedule()
    },
    clearRows() {
      fresh = []
      change({ rows: [] })
    },
    runs: () => runs.map((run) => run.record),
  }
}
