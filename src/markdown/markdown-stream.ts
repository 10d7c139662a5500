import { closeAll } from './block/block-stack.ts'
import type { BlockState } from './block/frame.ts'
import { EMPTY_STATE } from './block/frame.ts'
import { LeafInlines } from './block/leaf-inlines.ts'
import { PendingLine } from './block/pending-line.ts'
import { renewLeaves } from './block/renew-leaves.ts'
import { sameContent } from './block/same-content.ts'
import { snapshot } from './block/snapshot.ts'
import { stepLine } from './block/step-line.ts'
import { LONGEST_RENEWED, type Renewed, Waiting, type WaitingLeaf } from './block/waiting-leaves.ts'
import type { MarkdownRoot } from './tree/tree.ts'

/** Markdown that is read while it comes. */
export interface MarkdownStream {
  /** More text. It costs what is new in it, however long the message is already. */
  append(text: string): void
  /** No more text will come: what was half is what it is. */
  finish(): void
  /**
   * What is to be shown now. Blocks that are closed stay the same objects; one of them is made anew only when a link or a
   * footnote it names is defined later: soon, or when the message is over. After `finish` it is exactly what parseMarkdown gives for the whole text.
   */
  readonly root: MarkdownRoot
}

/** Reads CommonMark 0.31 with GitHub's tables, task lists, strikethrough, autolinks and footnotes, in pieces of any size. */
export function createMarkdownStream(): MarkdownStream {
  return new LineByLine()
}

/** The tree of a whole text. */
export function parseMarkdown(text: string): MarkdownRoot {
  const stream = new LineByLine()
  stream.append(text)
  stream.finish()
  return stream.root
}

class LineByLine implements MarkdownStream {
  private state: BlockState = EMPTY_STATE
  private readonly waiting = new Waiting()
  private readonly leaves = new LeafInlines(this.waiting)
  private readonly pending = new PendingLine()
  /** Where the pending line begins. */
  private at = 0
  /** A carriage return that may be half of a line end. */
  private half = ''
  private finished = false
  private shown: { readonly state: BlockState; readonly after: BlockState | undefined; readonly root: MarkdownRoot } | undefined

  append(text: string): void {
    if (this.finished) throw new Error('The markdown stream is finished: text that was appended now would change blocks that are closed. Create another stream.')
    let more = this.half + text
    this.half = more.endsWith('\r') ? '\r' : ''
    if (this.half !== '') more = more.slice(0, -1)
    this.read(normalize(more))
    this.renew(this.waiting.take(LONGEST_RENEWED + text.length))
  }

  finish(): void {
    if (this.finished) return
    this.leaves.finishing = true
    this.read(normalize(this.half))
    if (this.pending.text !== '') this.step('')
    this.finished = true
    this.leaves.committing = true
    this.state = closeAll(this.state, this.leaves)
    this.renew(this.waiting.takeAll())
  }

  get root(): MarkdownRoot {
    this.leaves.committing = false
    const after = this.pending.text === '' ? undefined : this.pending.stateAfter(this.state, this.at, this.leaves)
    if (this.shown === undefined || this.shown.state !== this.state || this.shown.after !== after) {
      this.shown = { state: this.state, after, root: snapshot(after ?? this.state, this.leaves, after === undefined) }
    }
    return this.shown.root
  }

  private read(text: string): void {
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.step(text.slice(from, end))
      from = end + 1
    }
    if (from < text.length) this.pending.add(from === 0 ? text : text.slice(from))
  }

  private step(rest: string): void {
    const text = this.pending.take(rest)
    this.leaves.committing = true
    this.state = stepLine(this.state, { text, at: this.at, complete: true }, this.leaves)
    this.leaves.settle(this.state.frames.at(-1))
    this.at += text.length + 1
  }

  /** Leaves that waited for what is defined now. */
  private renew(leaves: readonly WaitingLeaf[]): void {
    const renewed: Renewed[] = []
    for (const leaf of leaves) {
      const { segments, missed } = this.leaves.again(leaf.text)
      this.waiting.add(leaf, missed)
      // It may have asked while it was half, and not need the answer any more.
      if (sameContent(segments, leaf.segments)) continue
      leaf.segments = segments
      renewed.push({ place: leaf.place, segments })
    }
    if (renewed.length === 0) return
    this.state = renewLeaves(this.state, renewed)
    this.pending.forget()
  }
}

function normalize(text: string): string {
  return /[\r\0]/.test(text) ? text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD') : text
}
