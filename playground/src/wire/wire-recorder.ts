import type { Clock, Frames, SseFrame, CapPacket } from 'capstan'
import type { GlyphName } from '../glyph.tsx'
import type { Readable } from '../store.ts'
import { createFrameBytes } from './frame-bytes.ts'
import { createSseDecoder } from './inner.ts'
import { packetBrief } from './packet-brief.ts'
import type { PacketReader } from './packet-reader.ts'
import { createPacketReader } from './packet-reader.ts'
import type { AttemptEnding, RecordedAttempt, RecordedRun } from './recording.ts'
import type { TaskEventReader } from './task-event-reader.ts'
import { createTaskEventReader } from './task-event-reader.ts'
import { createWireDraft } from './wire-draft.ts'
import type { MarkKind, NoteCountdown, PacketRow, Tone, WireAttempt, WireSnapshot } from './wire-snapshot.ts'
import { noRun } from './wire-snapshot.ts'

/** Writes down one attempt. What comes after its ending, or after a reset, is ignored. */
export interface AttemptRecorder {
  readonly hasEnded: boolean
  answered(status: number, contentType: string): void
  bytes(chunk: Uint8Array): void
  ended(how: AttemptEnding): void
}

/** Everything seen on the wire of the conversation on the page. Publishes at most once a frame. */
export interface WireRecorder extends Readable<WireSnapshot> {
  attempt(call: {
    readonly url: string
    readonly requestId: string
    /** @default 'CAP' */
    readonly protocol?: 'CAP' | 'A2A'
  }): AttemptRecorder
  note(tone: Tone, glyph: GlyphName, text: string, countdown?: NoteCountdown): void
  /** The client gave a connection up that had not ended by itself. */
  droppedByClient(text: string): void
  /** The client means to wait so long before the next attempt. */
  waits(ms: number): void
  /** The open connection was told to be silent, or to speak again. */
  silence(on: boolean): void
  /** A new conversation begins. */
  reset(): void
  /** Empties the log; counts and recording stay. */
  clearRows(): void
  /** A packet by the id of its row, also when its row has left the log. */
  packet(rowId: number): PacketRow | undefined
  runs(): readonly RecordedRun[]
}

interface ObservedRun {
  readonly record: RecordedRun
  readonly reader: PacketReader
  /** In place of the reader, for a run over A2A. */
  readonly tasks: TaskEventReader | undefined
  readonly startedAt: number
}

const MOST_FRAME_BYTES = 10_000_000
const BRIEF_LENGTH = 120

export function createWireRecorder({
  clock,
  frames,
}: {
  readonly clock: Clock
  readonly frames: Frames
}): WireRecorder {
  const draft = createWireDraft(frames)
  const packets = new Map<number, PacketRow>()
  let runs: ObservedRun[] = []

  const sinceStart = ({ startedAt }: ObservedRun): number => Math.round(clock.now() - startedAt)

  function packetRow(run: ObservedRun, row: Pick<PacketRow, 'seq' | 'op' | 'brief' | 'duplicate' | 'data'>): number {
    return draft.row((id) => {
      const made: PacketRow = { kind: 'packet', id, at: clock.now() - run.startedAt, ...row }
      packets.set(id, made)
      return made
    })
  }

  function drop(text: string, run: ObservedRun | undefined): void {
    if (run !== undefined) draft.mark({ kind: 'drop', at: sinceStart(run) })
    draft.count('drops')
    draft.note('bad', 'cut', text)
  }

  function observedRun(url: string, requestId: string, protocol: 'CAP' | 'A2A'): ObservedRun {
    const known = runs.find(({ record }) => record.requestId === requestId)
    if (known !== undefined) return known
    const record: RecordedRun = { requestId, url, startedAt: new Date(clock.date()).toISOString(), attempts: [] }
    const tasks = protocol === 'A2A' ? createTaskEventReader() : undefined
    const run: ObservedRun = { record, reader: createPacketReader(), tasks, startedAt: clock.now() }
    runs = [...runs, run]
    draft.replaceRun({ ...noRun, requestId, startedAt: run.startedAt })
    return run
  }

  function takeFrame(run: ObservedRun, attempt: RecordedAttempt, frame: SseFrame): void {
    const at = sinceStart(run)
    attempt.frames.push({ at, ...frame })
    const { data } = frame
    if (run.tasks !== undefined) {
      const { op, brief, mark } = run.tasks.read(data)
      draft.count('packets')
      const row = packetRow(run, { seq: undefined, op, brief, duplicate: false, data })
      draft.mark({ ...mark, at, streamId: 'task', row })
      return
    }
    const { packet, verdict, missing } = run.reader.read(frame)
    const duplicate = verdict === 'duplicate'
    draft.count('packets')
    if (duplicate) draft.count('duplicates')
    if (verdict === 'restarted') draft.note('wait', 'retry', 'New stream: the answer starts over')
    for (const { after, before } of missing) {
      const [first, last] = [after + 1, before - 1]
      const numbers = first === last ? `${first}` : `${first}–${last}`
      draft.count('gaps')
      draft.mark({ kind: 'gap', at, streamId: packet?.stream_id, label: numbers })
      draft.note('wait', 'cut', `Missing packet${first === last ? '' : 's'} ${numbers}`)
    }
    if (packet === undefined) {
      draft.mark({
        kind: 'other',
        at,
        row: packetRow(run, { seq: undefined, op: '?', brief: data.slice(0, BRIEF_LENGTH), duplicate: false, data }),
      })
      return
    }
    const row = packetRow(run, {
      seq: packet.seq,
      op: packet.op,
      brief: duplicate ? 'duplicate, ignored' : packetBrief(packet),
      duplicate,
      data,
    })
    draft.mark({ ...markOf(packet), at, streamId: packet.stream_id, replay: duplicate, row })
    if (duplicate) return
    draft.changeRun({ lastSeq: packet.seq })
    draft.change({ generation: packet.generation })
  }

  function record(run: ObservedRun): AttemptRecorder {
    const attempt: RecordedAttempt = { at: sinceStart(run), bytes: 0, frames: [] }
    run.record.attempts.push(attempt)
    run.reader.next()
    const number = run.record.attempts.length
    const torn = createFrameBytes()
    const utf8 = new TextDecoder()
    const decoder = createSseDecoder({
      maxFrameBytes: MOST_FRAME_BYTES,
      onFrame: (frame) => takeFrame(run, attempt, frame),
    })
    const isCurrent = (): boolean => attempt.ending === undefined && runs.includes(run)
    const show = (values: Partial<WireAttempt>): void => {
      const { requestId, attempts } = draft.current.run
      if (requestId !== run.record.requestId) return
      const next = [...attempts]
      next[number - 1] = { at: attempt.at, ...next[number - 1], ...values }
      draft.changeRun({ attempts: next })
    }
    if (number === 1) draft.note('plain', 'up', `POST ${run.record.url}`)
    show({})

    const cutText = (): string => {
      const last = draft.current.run.lastSeq
      if (run.tasks !== undefined) return `Dropped after ${attempt.frames.length} events of the task`
      if (torn.torn > 0)
        return `Dropped inside packet${last === undefined ? '' : ` ${last + 1}`}, after ${torn.torn} bytes of it`
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
        show({ status })
        if (status >= 400) draft.note('bad', 'fatal', `HTTP ${status}`)
        else if (number > 1) draft.note('ok', 'link', `Connected again, attempt ${number}`)
      },
      bytes(chunk) {
        if (!isCurrent()) return
        attempt.bytes += chunk.byteLength
        draft.bytes(sinceStart(run), chunk.byteLength)
        if (attempt.contentType?.startsWith('text/event-stream')) {
          torn.push(chunk)
          decoder.push(chunk)
        } else attempt.body = (attempt.body ?? '') + utf8.decode(chunk, { stream: true })
      },
      ended(how) {
        if (attempt.ending !== undefined) return
        const current = isCurrent()
        attempt.ending = how
        attempt.endedAt = sinceStart(run)
        if (!current) return
        if (draft.current.silent) draft.change({ silent: false })
        const { body, status, endedAt } = attempt
        const early = how === 'finished' && body === undefined && status === 200 && !(run.tasks ?? run.reader).settled
        show({ ending: early ? 'dropped' : how, endedAt })
        if (how === 'dropped') drop(cutText(), run)
        if (how === 'unreachable') draft.note('bad', 'cut', 'No connection')
        if (early) drop(run.tasks === undefined ? 'Ended without CLOSE' : 'Ended before the task', run)
        if (how !== 'finished' || body === undefined || status !== 200) return
        draft.count('packets')
        draft.mark({
          kind: 'other',
          at: endedAt,
          row: packetRow(run, {
            seq: undefined,
            op: 'JSON',
            brief: body.slice(0, BRIEF_LENGTH),
            duplicate: false,
            data: body,
          }),
        })
      },
    }
  }

  return {
    get: draft.get,
    subscribe: draft.subscribe,
    note: draft.note,
    droppedByClient: (text) => drop(text, runs.at(-1)),
    waits(ms) {
      const attempts = [...draft.current.run.attempts]
      const last = attempts.pop()
      if (last !== undefined) draft.changeRun({ attempts: [...attempts, { ...last, waitMs: ms }] })
    },
    silence(on) {
      if (draft.current.silent === on) return
      draft.change({ silent: on })
      draft.note(on ? 'wait' : 'plain', 'silence', on ? 'Stalled: connected, no data' : 'Data resumed')
    },
    attempt: ({ url, requestId, protocol = 'CAP' }) => record(observedRun(url, requestId, protocol)),
    reset() {
      runs = []
      packets.clear()
      draft.reset()
    },
    clearRows: draft.clearRows,
    packet: (rowId) => packets.get(rowId),
    runs: () => runs.map((run) => run.record),
  }
}

function markOf(packet: CapPacket): { readonly kind: MarkKind; readonly label?: string } {
  if (packet.op === 'ERROR') return { kind: packet.p.severity === 'FATAL' ? 'error' : 'warning', label: packet.p.code }
  if (packet.op === 'CLOSE') return { kind: 'close', ...(typeof packet.p === 'string' && { label: packet.p }) }
  return { kind: packet.op === 'DELTA' ? 'delta' : 'event' }
}
