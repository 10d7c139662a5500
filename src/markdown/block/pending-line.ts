import { extendLine } from './extend-line.ts'
import type { BlockState } from './frame.ts'
import { isHeldBack, isOnlyMarks, LONGEST_HELD_LINE } from './hold-back.ts'
import type { Leaves } from './leaves.ts'
import { stepLine } from './step-line.ts'

/** The last line of the message, which is not complete: read on top of what is, and read again when more of it comes. */
export class PendingLine {
  text = ''
  private onlyMarks = true
  /** What came since it was read. */
  private unread = ''
  private state: BlockState | undefined

  add(text: string): void {
    this.text += text
    this.unread += text
    this.onlyMarks &&= isOnlyMarks(text)
  }

  /** The whole line; the next one begins. */
  take(rest: string): string {
    const line = this.text + rest
    this.text = ''
    this.unread = ''
    this.onlyMarks = true
    this.state = undefined
    return line
  }

  /** What it was read on top of is no longer so. */
  forget(): void {
    this.unread = this.text
    this.state = undefined
  }

  /** What is known with it; undefined when nothing of it is to be shown yet. */
  stateAfter(before: BlockState, at: number, leaves: Leaves): BlockState | undefined {
    if (this.unread !== '') this.state = this.readOn(before, at, leaves)
    this.unread = ''
    return this.state
  }

  private readOn(before: BlockState, at: number, leaves: Leaves): BlockState | undefined {
    if (this.state !== undefined && this.text.length > LONGEST_HELD_LINE) {
      const extended = extendLine(this.state, this.unread)
      if (extended !== undefined) return extended
    }
    const tip = before.frames.at(-1)
    const marks = this.onlyMarks && tip?.type !== 'fence' && tip?.type !== 'html' && tip?.type !== 'indented'
    if (marks || isHeldBack(before, this.text)) return undefined
    return stepLine(before, { text: this.text, at, complete: false }, leaves)
  }
}
