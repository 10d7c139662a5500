import { showHidden } from '../../base/text.ts'
import type { Chunks, CodeLine } from '../../markdown/tree/tree.ts'
import type { LineTokenizer, Token } from './line-tokenizer.ts'
import type { Tokenizers } from './tokenizers.ts'
import type { Job, WorkQueue } from './work-queue.ts'

/** A block is highlighted to its 2,000th line, and to its first line of more than 2,000 letters. */
const MAX_LINES = 2000
const MAX_LETTERS = 2000

export interface PaintedLine {
  /** The text as it came, to tell whether the line is still the same. */
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
