import { extendLine } from './extend-line.ts'
import type { BlockState } from './frame.ts'
import { isHeldBack, isOnlyMarks, LONGEST_HELD } from './hold-back.ts'
import type { Leaves } from './leaves.ts'
import { stepLine } from './step-line.ts'

/** The last line of the message, which is not complete: read on top of what is, and read anew when more of it comes. */
export class PendingLine {
  text = ''
  private onlyMarks = true
  /** As far as it was read. */
  private read: { readonly state: BlockState | undefined; readonly length: number } | undefined

  add(text: string): void {
    this.text += text
    this.onlyMarks &&= isOnlyMarks(text)
  }

  /** The whole line; the next one begins. */
  take(rest: string): string {
    const line = this.text + rest
    this.text = ''
    this.onlyMarks = true
    this.read = undefined
    return line
  }

  /** What is known with it; undefined when nothing of it is to be shown yet. */
  stateAfter(state: BlockState, at: number, leaves: Leaves): BlockState | undefined {
    if (this.read?.length !== this.text.length) this.read = { state: this.readOn(state, at, leaves), length: this.text.length }
    return this.read.state
  }

  private readOn(state: BlockState, at: number, leaves: Leaves): BlockState | undefined {
    const before = this.read
    if (before?.state !== undefined && before.length > LONGEST_HELD) {
      const extended = extendLine(before.state, this.text.slice(before.length))
      if (extended !== undefined) return extended
    }
    const tip = state.frames.at(-1)
    const marks = this.onlyMarks && tip?.type !== 'fence' && tip?.type !== 'html' && tip?.type !== 'indented'
    if (marks || isHeldBack(state, this.text)) return undefined
    return stepLine(state, { text: this.text, at, complete: false }, leaves)
  }
}
