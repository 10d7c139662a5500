import type { InlineSegment } from '../tree/tree.ts'
import type { LeafPlace } from './leaves.ts'

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
