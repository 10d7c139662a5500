import type { Frames } from 'capstan'
import type { GlyphName } from '../glyph.tsx'
import type { Readable } from '../store.ts'
import { createStore } from '../store.ts'
import type { LogRow, Mark, NoteCountdown, Tone, WireCounts, WireRun, WireSnapshot } from './wire-snapshot.ts'
import { BYTES_EVERY_MS, emptySnapshot } from './wire-snapshot.ts'

/** The snapshot while it is being written: published at most once a frame, its lists made again only then. */
export interface WireDraft extends Readable<WireSnapshot> {
  /** As it will be published, without what was added to lists since. */
  readonly current: WireSnapshot
  change(values: Partial<WireSnapshot>): void
  changeRun(values: Partial<WireRun>): void
  /** Another run takes the place of the one that is shown. */
  replaceRun(run: WireRun): void
  count(name: keyof WireCounts): void
  note(tone: Tone, glyph: GlyphName, text: string, countdown?: NoteCountdown): void
  /** Adds a row; returns its id. */
  row(make: (id: number) => LogRow): number
  mark(mark: Mark): void
  bytes(at: number, count: number): void
  clearRows(): void
  reset(): void
}

const MOST_ROWS = 600

export function createWireDraft(frames: Frames): WireDraft {
  const store = createStore(emptySnapshot)
  let draft: WireSnapshot = emptySnapshot
  let rows: LogRow[] = []
  let marks: Mark[] = []
  let bytes: [at: number, count: number][] = []
  let nextId = 0
  let scheduled = false

  function publish(): void {
    scheduled = false
    const { run } = draft
    if (rows.length > 0) draft = { ...draft, rows: [...draft.rows, ...rows].slice(-MOST_ROWS) }
    if (marks.length + bytes.length > 0)
      draft = { ...draft, run: { ...run, marks: [...run.marks, ...marks], bytes: withBytes(run.bytes, bytes) } }
    rows = []
    marks = []
    bytes = []
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

  function row(make: (id: number) => LogRow): number {
    const made = make(nextId++)
    rows.push(made)
    schedule()
    return made.id
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    get current() {
      return draft
    },
    change,
    changeRun: (values) => change({ run: { ...draft.run, ...values } }),
    replaceRun(run) {
      marks = []
      bytes = []
      change({ run })
    },
    count: (name) => change({ counts: { ...draft.counts, [name]: draft.counts[name] + 1 } }),
    note: (tone, glyph, text, countdown) => void row((id) => ({ kind: 'note', id, tone, glyph, text, countdown })),
    row,
    mark(mark) {
      marks.push(mark)
      schedule()
    },
    bytes(at, count) {
      bytes.push([at, count])
      schedule()
    },
    clearRows() {
      rows = []
      change({ rows: [] })
    },
    reset() {
      rows = []
      marks = []
      bytes = []
      change(emptySnapshot)
    },
  }
}

function withBytes(
  before: readonly number[],
  fresh: readonly (readonly [at: number, count: number])[],
): readonly number[] {
  if (fresh.length === 0) return before
  const next = [...before]
  for (const [at, count] of fresh) {
    const step = Math.floor(at / BYTES_EVERY_MS)
    while (next.length <= step) next.push(0)
    next[step] = (next[step] ?? 0) + count
  }
  return next
}
