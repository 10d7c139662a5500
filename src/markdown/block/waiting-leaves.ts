import type { InlineSegment } from '../tree.ts'
import type { LeafPlace } from './leaves.ts'

/** A closed leaf that asked for labels nobody had defined, or that has to be parsed once more for another reason. */
export interface WaitingLeaf {
  readonly text: string
  readonly place: LeafPlace
  /** What it is now. */
  segments: readonly InlineSegment[]
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
 * Thousands of leaves may wait for one definition: so many code units of them are parsed again with each piece of text, so that no
 * frame is late. A leaf that is longer waits for the end.
 */
export const LONGEST_RENEWED = 8192
/** A leaf with more labels waits for some of them together, so that thousands do not parse it thousands of times. */
const AT_ONCE = 16
/** What a leaf costs besides its text, as so many code units. */
const LEAST = 32

/** Which leaves wait for which labels. */
export class Waiting {
  private readonly byLabel = new Map<string, Set<WaitingLeaf>>()
  /** To be parsed again: soon, and at the end. */
  private readonly due = new Set<WaitingLeaf>()
  private readonly owed = new Set<WaitingLeaf>()

  add(leaf: WaitingLeaf, labels: Iterable<string>): void {
    for (const label of labels) {
      const leaves = this.byLabel.get(label)
      if (leaves === undefined) this.byLabel.set(label, new Set([leaf]))
      else leaves.add(leaf)
    }
  }

  /** A label is defined now. */
  announce(label: string): void {
    for (const leaf of this.byLabel.get(label) ?? []) {
      leaf.owed++
      this.owed.add(leaf)
      if (leaf.turns < AT_ONCE || leaf.owed * 4 >= leaf.paid) this.due.add(leaf)
    }
    this.byLabel.delete(label)
  }

  /** Has the leaf parsed again at the end. */
  owe(leaf: WaitingLeaf): void {
    this.owed.add(leaf)
  }

  /** Takes the leaves to parse again now, with no more text than `most` code units: others stay for the next time, and what is longer for the end. */
  take(most: number): WaitingLeaf[] {
    const taken: WaitingLeaf[] = []
    let left = most
    for (const leaf of most === Number.POSITIVE_INFINITY ? this.owed : this.due) {
      if (left < LEAST) break
      const work = leaf.text.length + LEAST
      if (work > left) continue
      left -= work
      taken.push(leaf)
    }
    for (const leaf of taken) {
      this.due.delete(leaf)
      this.owed.delete(leaf)
      leaf.turns++
      leaf.paid += leaf.owed
      leaf.owed = 0
    }
    return taken
  }
}
