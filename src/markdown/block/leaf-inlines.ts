import { type InlineGrowth, extendInlines, finishInlines, growInlines, shownInlines } from '../inline/grow-inlines.ts'
import type {
  MathSyntax,
  InlineSegment,
  LabelledDefinition,
  LinkDefinition,
  MarkdownFlavor,
  References,
} from '../inline/tree.ts'
import type { Frame } from './frame.ts'
import { type LeafText, textBehind, wholeText, type LeafPlace, type Leaves } from './leaves.ts'
import type { OpenLeaf, OpenLeaves } from './snapshot.ts'

interface Grown extends OpenLeaf {
  /** What `text` has behind the text that is read. */
  readonly unread: string
  readonly growth: InlineGrowth
  readonly shown: readonly InlineSegment[]
  readonly references: Recorder
}

interface Made {
  readonly text: LeafText
  /**
   * Some segments were settled at a place where the result may be wrong, and the text is too long to be parsed again
   * before the end.
   */
  readonly rough: boolean
  readonly segments: readonly InlineSegment[]
  readonly missed: ReadonlySet<string>
}

/** Resolves labels, and records those that are not defined. */
class Recorder implements References {
  readonly missed = new Set<string>()
  readonly math: MathSyntax | undefined
  readonly flavor: MarkdownFlavor
  private readonly known: LeafInlines

  constructor(known: LeafInlines) {
    this.known = known
    this.math = known.math
    this.flavor = known.flavor
  }

  resolve(label: string): LinkDefinition | undefined {
    const definition = this.known.definitions.get(label)
    if (definition === undefined) this.missed.add(label)
    return definition
  }

  isFootnote(label: string): boolean {
    const defined = this.known.footnotes.has(label)
    if (!defined) this.missed.add(`^${label}`)
    return defined
  }
}

/** The inline content of all leaves of a message, and what they refer to. */
export class LeafInlines implements Leaves, OpenLeaves {
  readonly definitions = new Map<string, LinkDefinition>()
  readonly footnotes = new Set<string>()
  /** Whether the current line is complete, so that its results are stored. */
  committing = false
  /** No more text will come. */
  finishing = false
  readonly math: MathSyntax | undefined
  readonly flavor: MarkdownFlavor
  private readonly waiting: Waiting
  /** The leaf that grows: as far as its lines are complete, and with the line that is not. */
  private settled: Grown | undefined
  private grown: Grown | undefined
  /** The whole texts of one leaf: a paragraph's, or those of a row by columns. */
  private readonly made = new Map<number, Made>()
  private madeKey = -1

  constructor(waiting: Waiting, math: MathSyntax | undefined, flavor: MarkdownFlavor) {
    this.waiting = waiting
    this.math = math
    this.flavor = flavor
  }

  define({ label, url, title }: LabelledDefinition): void {
    if (!this.committing || this.definitions.has(label)) return
    this.definitions.set(label, title === undefined ? { url } : { url, title })
    this.announce(label)
  }

  defineFootnote(label: string): boolean {
    const first = !this.footnotes.has(label)
    if (first && this.committing) {
      this.footnotes.add(label)
      this.announce(`^${label}`)
    }
    return first
  }

  close(text: LeafText, place: LeafPlace, lead = 0): readonly InlineSegment[] {
    const { segments, missed, rough } = this.make({ ...place, text, lead, cut: 0 })
    if (this.committing && (rough || missed.size > 0)) {
      const leaf = { text: wholeText(text).slice(lead), place, segments, known: 0, turns: 0, owed: 0, paid: 0 }
      this.waiting.add(leaf, missed)
      if (rough) this.waiting.owe(leaf)
    }
    return segments
  }

  /** The content of a text that is parsed once more. */
  again(text: string): Pick<Made, 'segments' | 'missed'> {
    const references = new Recorder(this)
    return { segments: finishInlines(undefined, text, references), missed: references.missed }
  }

  whole(leaf: OpenLeaf): readonly InlineSegment[] {
    return this.make(leaf).segments
  }

  growing(leaf: OpenLeaf): readonly InlineSegment[] {
    const { before, more } = this.known(leaf, leaf.cut)
    if (before !== undefined && more === '') return before.shown
    const references = before?.references ?? new Recorder(this)
    const growth =
      before === undefined
        ? growInlines(undefined, wholeText(leaf.text).slice(leaf.lead), references)
        : extendInlines(before.growth, more, references)
    this.grown = { ...leaf, unread: '', growth, references, shown: shownInlines(growth) }
    return this.grown.shown
  }

  /** Keeps the displayed content of a line that is complete now, if its block is still open. */
  settle(top: Frame | undefined): void {
    const grown = this.grown
    this.grown = undefined
    if (grown === undefined || top?.type !== 'paragraph' || top.key !== grown.key) return
    // All of it will be read once more.
    if (this.finishing && !grown.growth.exact) return
    const more = textBehind(top.text, grown.text)
    // Stores the same text object in both, so that later comparisons are by identity.
    if (more !== undefined) this.settled = { ...grown, text: top.text, unread: grown.unread + more }
  }

  private make(leaf: OpenLeaf): Made {
    if (leaf.key !== this.madeKey) this.made.clear()
    this.madeKey = leaf.key
    const column = leaf.column ?? -1
    const made = this.made.get(column)
    const same =
      made !== undefined &&
      (made.text === leaf.text || textBehind(leaf.text, made.text) === '') &&
      leaf.text.length === made.text.length
    if (same && ![...made.missed].some((label) => this.knows(label))) return made
    const { before } = this.known(leaf)
    const references = before?.references ?? new Recorder(this)
    const rough = before?.growth.exact === false && leaf.text.length > LONGEST_RENEWED && !this.finishing
    const growth = rough ? { ...before.growth, exact: true } : before?.growth
    const now = {
      text: leaf.text,
      rough,
      segments: finishInlines(growth, wholeText(leaf.text).slice(leaf.lead), references),
      missed: references.missed,
    }
    this.made.set(column, now)
    return now
  }

  /** What was shown of a leaf, and the text that it has since; `cut` must be the same where it is given. */
  private known(leaf: OpenLeaf, cut?: number): { readonly before: Grown | undefined; readonly more: string } {
    for (const before of [this.grown, this.settled]) {
      if (
        before?.key !== leaf.key ||
        before.column !== leaf.column ||
        before.lead !== leaf.lead ||
        (cut !== undefined && cut !== before.cut)
      )
        continue
      const more = textBehind(leaf.text, before.text)
      if (more !== undefined) return { before, more: before.unread + more }
    }
    return { before: undefined, more: '' }
  }

  private knows(label: string): boolean {
    return this.definitions.has(label) || (label.startsWith('^') && this.footnotes.has(label.slice(1)))
  }

  private announce(label: string): void {
    this.waiting.announce(label)
    if (this.grown?.references.missed.has(label) === true) this.grown = undefined
    if (this.settled?.references.missed.has(label) === true) this.settled = undefined
  }
}

/** A closed leaf that uses undefined labels, or that has to be parsed again for another reason. */
export interface WaitingLeaf {
  readonly text: string
  readonly place: LeafPlace
  /** What it is now. */
  segments: readonly InlineSegment[]
  /** How many labels were defined when it was parsed last. */
  known: number
  /** How often it was parsed again. */
  turns: number
  /** How many of its labels were defined since. */
  owed: number
  /** How many before that. */
  paid: number
}

/** A leaf parsed again. */
export interface Renewed {
  readonly place: LeafPlace
  readonly segments: readonly InlineSegment[]
}

/**
 * Most code units that are parsed again with each piece of text, because thousands of leaves can wait for one
 * definition and a frame must not be late. A longer leaf waits for the end.
 */
export const LONGEST_RENEWED = 8192

/**
 * After this many parses, a leaf is parsed again only when several more of its labels are defined, so that thousands of
 * labels do not cause thousands of parses.
 */
const AT_ONCE = 16

/** Fixed cost of parsing a leaf, counted in code units. */
const LEAST = 32

/** Which leaves wait for which labels. */
export class Waiting {
  private readonly byLabel = new Map<string, Set<WaitingLeaf>>()
  /** Leaves whose labels are defined by now and that are not processed yet: there can be very many. */
  private readonly defined = new Map<number, Set<WaitingLeaf>>()
  private labels = 0
  /** To be parsed again at the end. */
  private readonly last = new Set<WaitingLeaf>()

  add(leaf: WaitingLeaf, labels: Iterable<string>): void {
    for (const label of labels) {
      const leaves = this.byLabel.get(label)
      if (leaves === undefined) this.byLabel.set(label, new Set([leaf]))
      else leaves.add(leaf)
    }
  }

  /** A label is defined now. */
  announce(label: string): void {
    const leaves = this.byLabel.get(label)
    if (leaves === undefined) return
    this.byLabel.delete(label)
    this.labels++
    this.defined.set(this.labels, leaves)
  }

  /** Has the leaf parsed again at the end. */
  owe(leaf: WaitingLeaf): void {
    this.last.add(leaf)
  }

  /** Takes the leaves to parse again now, with no more text than `most` code units: others stay for the next time. */
  take(most: number): WaitingLeaf[] {
    const taken: WaitingLeaf[] = []
    let left = most
    for (const [label, leaves] of this.defined) {
      for (const leaf of leaves) {
        const work = leaf.text.length + LEAST
        const isNew = leaf.known < label
        const isDue = isNew && work <= LONGEST_RENEWED && (leaf.turns < AT_ONCE || (leaf.owed + 1) * 4 >= leaf.paid)
        if (isDue && work > left) return taken
        leaves.delete(leaf)
        if (isNew) {
          leaf.owed++
          this.last.add(leaf)
        }
        if (!isDue) continue
        left -= work
        taken.push(leaf)
        this.last.delete(leaf)
        leaf.known = this.labels
        leaf.turns++
        leaf.paid += leaf.owed
        leaf.owed = 0
      }
      this.defined.delete(label)
    }
    return taken
  }

  /** Takes all that is left. */
  takeAll(): WaitingLeaf[] {
    return [...this.take(Number.POSITIVE_INFINITY), ...this.last]
  }
}
