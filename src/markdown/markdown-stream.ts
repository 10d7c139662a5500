import { closeAll } from './block/block-stack.ts'
import type { BlockState } from './block/frame.ts'
import { EMPTY_BLOCK_STATE } from './block/frame.ts'
import { LeafInlines, LONGEST_RENEWED, type Renewed, Waiting, type WaitingLeaf } from './block/leaf-inlines.ts'
import { PendingLine } from './block/pending-line.ts'
import { renewal } from './block/renewal.ts'
import { sameContent, snapshot } from './block/snapshot.ts'
import { stepLine } from './block/step-line.ts'
import type { MathSyntax, MarkdownRoot, MarkdownFlavor } from './inline/tree.ts'

export interface MarkdownOptions {
  /** How formulas are written: `mathSyntax`. Absent: text between dollar signs is text. */
  readonly math?: MathSyntax | undefined
  /**
   * `chat` reads what people mean: emphasis beside Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese and Tibetan words and full-width
   * punctuation, addresses that end before them, one tilde as *about*, and `<br>`, `<sub>`, `<sup>` and `<kbd>`. Answers are shown with it.
   *
   * @default 'commonmark'
   */
  readonly flavor?: MarkdownFlavor | undefined
}

/** Incremental markdown parser. */
export interface MarkdownStream {
  /** Appends text. The cost depends on the new text, not on the length of the message. */
  append(text: string): void
  /** Ends the text: an incomplete construct is parsed as it is. */
  finish(): void
  /**
   * What is to be shown now. Blocks that are closed stay the same objects; one of them is made again only when a link or a
   * footnote it names is defined later: soon, or when the message has ended. After `finish` it is exactly what parseMarkdown gives for the whole text.
   */
  readonly root: MarkdownRoot
}

/** Reads markdown in pieces of any size, with the syntax that is known: `all-syntax.ts` adds all of it. */
export function createBaseMarkdownStream({ math, flavor = 'commonmark' }: MarkdownOptions = {}): MarkdownStream {
  return new LineByLine(math, flavor)
}

class LineByLine implements MarkdownStream {
  private state: BlockState = EMPTY_BLOCK_STATE
  private readonly waiting = new Waiting()
  private readonly leaves: LeafInlines
  private readonly pending = new PendingLine()
  /** Where the pending line begins. */
  private at = 0
  /** A carriage return that may be half of a line end. */
  private half = ''
  private finished = false
  private shown:
    | { readonly state: BlockState; readonly after: BlockState | undefined; readonly root: MarkdownRoot }
    | undefined

  constructor(math: MathSyntax | undefined, flavor: MarkdownFlavor) {
    this.leaves = new LeafInlines(this.waiting, math, flavor)
  }

  append(text: string): void {
    if (this.finished)
      throw new Error(
        'The markdown stream is finished: text that was appended now would change blocks that are closed. Create another stream.',
      )
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
      // The leaf may have used the label only while it was incomplete.
      if (sameContent(segments, leaf.segments)) continue
      leaf.segments = segments
      renewed.push({ place: leaf.place, segments })
    }
    if (renewed.length === 0) return
    this.state = renewal()?.(this.state, renewed) ?? this.state
    this.pending.forget()
  }
}

function normalize(text: string): string {
  return /[\r\0]/.test(text) ? text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD') : text
}
