import { showHidden } from '../../base/text.ts'
import type { Chunks, CodeLine } from '../../markdown/inline/tree.ts'
import type { LineTokenizer, Token } from './line-tokenizer.ts'
import type { GrammarLoader } from './common-languages.ts'

/** A block is highlighted to its 2,000th line, and to its first line of more than 2,000 letters. */
const MAX_LINES = 2000

const MAX_LETTERS = 2000

export interface PaintedLine {
  /** The text unchanged, to tell whether the line is still the same. */
  readonly source: string
  readonly tokens: readonly Token[]
}

/** The painted lines of each piece of 32. A piece that is the same object as before has the same ones. */
export type Painted = readonly (readonly PaintedLine[])[]

export const UNPAINTED: Painted = []

/**
 * Highlights one block while it grows: each complete line is highlighted once, in order, after the earlier jobs of the
 * queue.
 */
export interface BlockHighlighting {
  /** Sets the current lines of the block; `ended`: the last line is complete. */
  read(language: string | undefined, lines: Chunks<CodeLine>, ended: boolean): void
  /** Stops highlighting until the next `read`. */
  stop(): void
  subscribe(listener: () => void): () => void
  painted(): Painted
}

export function createBlockHighlighting(tokenizers: Tokenizers, queue: WorkQueue): BlockHighlighting {
  const listeners = new Set<() => void>()
  let language: string | undefined
  let lines: Chunks<CodeLine> = []
  let ended = false
  let tokenizer: Promise<LineTokenizer> | LineTokenizer | undefined
  let painted = UNPAINTED
  // Lines highlighted since the last publish.
  let pieces: (readonly PaintedLine[])[] = []
  let count = 0
  let state: unknown
  let gaveUp = false
  let stopped = true

  const begin = (next: string | undefined): void => {
    if (language !== next) tokenizer = undefined
    language = next
    pieces = []
    count = 0
    state = undefined
    gaveUp = false
    job.publish()
  }

  /** The next line that nothing can be added to any more, and the piece it is in. */
  const nextLine = (): { readonly piece: number; readonly line: CodeLine } | undefined => {
    let piece = Math.max(0, pieces.length - 1)
    if ((pieces[piece]?.length ?? 0) >= (lines[piece]?.items.length ?? 1) && piece < lines.length - 1) piece++
    const { items } = lines[piece] ?? { items: [] }
    const at = pieces[piece]?.length ?? 0
    const line = items[at]
    const isOpen = !ended && piece === lines.length - 1 && at === items.length - 1
    return line === undefined || isOpen ? undefined : { piece, line }
  }

  /** Whether all lines that are painted are still there. Those of a piece that is the same are not looked at. */
  const isSame = (before: Chunks<CodeLine>): boolean =>
    pieces.every(
      (piece, at) =>
        lines[at] === before[at] || piece.every(({ source }, index) => lines[at]?.items[index]?.text === source),
    )

  const job: Job = {
    step() {
      const next = gaveUp || count >= MAX_LINES ? undefined : nextLine()
      if (next === undefined || tokenizer === undefined || tokenizer instanceof Promise) return false
      const { piece, line } = next
      try {
        if (tokenizer.prepare?.() === true) return true
        const result = line.text.length > MAX_LETTERS ? undefined : tokenizer.tokenize(showHidden(line.text), state)
        if (result === undefined) throw new Error('This line is not read.')
        state = result.state
        pieces[piece] = [...(pieces[piece] ?? []), { source: line.text, tokens: result.tokens }]
        count++
        return true
      } catch {
        // Without the tokenizer state after this line, the following lines cannot be highlighted correctly.
        gaveUp = true
        return false
      }
    },
    publish() {
      if (pieces.length === painted.length && pieces.every((piece, at) => piece === painted[at])) return
      painted = [...pieces]
      for (const listener of listeners) listener()
    },
  }

  const work = (): void => {
    if (stopped || gaveUp || count >= MAX_LINES || nextLine() === undefined || language === undefined) return
    if (tokenizer instanceof Promise) return
    if (tokenizer) {
      queue.add(job)
      return
    }
    const asked = tokenizers.get(language)
    tokenizer = asked
    if (asked) void follow(asked)
  }

  const follow = async (asked: Promise<LineTokenizer>): Promise<void> => {
    try {
      const loaded = await asked
      if (tokenizer !== asked) return
      tokenizer = loaded
      work()
    } catch {
      // The block stays plain. Retrying at each new letter would send too many requests; the next block retries.
      if (tokenizer === asked) gaveUp = true
    }
  }

  return {
    read(nextLanguage, nextLines, nextEnded) {
      const before = lines
      lines = nextLines
      ended = nextEnded
      stopped = false
      if (language !== nextLanguage || !isSame(before)) begin(nextLanguage)
      work()
    },
    stop() {
      stopped = true
      queue.remove(job)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    painted: () => painted,
  }
}

export type CreateTokenizer = (grammars: readonly object[]) => LineTokenizer

/** The tokenizers of some languages, each made once. */
interface Tokenizers {
  /** Undefined for an unknown language. Rejects when its code cannot be loaded; the next call tries again. */
  get(language: string): Promise<LineTokenizer> | undefined
}

/** @param load Fetches what makes a tokenizer of grammars; asked for when a known language is first named. */
export function createTokenizers(
  languages: Readonly<Record<string, GrammarLoader>>,
  load: () => Promise<CreateTokenizer>,
): Tokenizers {
  const made = new Map<GrammarLoader, Promise<LineTokenizer>>()
  const make = async (loadGrammars: GrammarLoader): Promise<LineTokenizer> => {
    const [create, { default: grammars }] = await Promise.all([load(), loadGrammars()])
    return create(grammars)
  }
  return {
    get(language) {
      // The name comes from an agent: `constructor` is not a language.
      const loadGrammars = Object.hasOwn(languages, language) ? languages[language] : undefined
      if (loadGrammars === undefined) return undefined
      let tokenizer = made.get(loadGrammars)
      if (tokenizer === undefined) {
        tokenizer = make(loadGrammars)
        made.set(loadGrammars, tokenizer)
        tokenizer.catch(() => made.delete(loadGrammars))
      }
      return tokenizer
    },
  }
}

/** Work is done in slices of so many milliseconds, so that the page can answer between them. */
const SLICE_MS = 4

/** Longest slice, in milliseconds, when the browser reports that the page is idle: one frame. */
const IDLE_SLICE_MS = 16

/** Longest wait for a slice when the page is never idle, in milliseconds. */
const MAX_WAIT_MS = 100

export interface Job {
  /** Does one small piece of the work, and says whether there is more of it. */
  step(): boolean
  /** Called at the end of each slice in which the job made a step. */
  publish(): void
}

interface WorkQueue {
  add(job: Job): void
  remove(job: Job): void
}

/** @param callback receives the milliseconds for which the page is expected to be idle */
function whenIdle(callback: (idleMs: number) => void): void {
  // Safari has none.
  if (typeof requestIdleCallback === 'function')
    requestIdleCallback((deadline) => callback(deadline.timeRemaining()), { timeout: MAX_WAIT_MS })
  else setTimeout(callback, 0, 0)
}

/** One queue for all blocks: the length of a slice does not depend on their number. Jobs run in order of arrival. */
export function createWorkQueue(): WorkQueue {
  const jobs = new Set<Job>()
  let awaited = false

  const wait = (): void => {
    if (awaited || jobs.size === 0) return
    awaited = true
    whenIdle(runSlice)
  }
  const runSlice = (idleMs: number): void => {
    awaited = false
    // A grammar is some hundred milliseconds of work: in a busy page a slice may wait long for the next one.
    const end = performance.now() + Math.min(Math.max(SLICE_MS, idleMs), IDLE_SLICE_MS)
    for (const job of jobs) {
      let more = true
      while (more && performance.now() < end) more = job.step()
      if (!more) jobs.delete(job)
      job.publish()
      if (performance.now() >= end) break
    }
    wait()
  }

  return {
    add(job) {
      jobs.add(job)
      wait()
    },
    remove: (job) => void jobs.delete(job),
  }
}
