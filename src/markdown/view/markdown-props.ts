import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import type { MarkdownRenderers } from './markdown-renderers.ts'
import type { MarkdownStrings } from './markdown-strings.ts'

export interface MarkdownProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The markdown, as far as it has come. */
  readonly text: string
  /**
   * More may come: half of a mark at the end is held back or completed instead of shown as what it is not. Text that grows
   * at its end without it is treated so as well, until it has not changed for half a second.
   *
   * @default false
   */
  readonly live?: boolean | undefined
  /** What is shown after the last letter, such as a caret. Absent: nothing. */
  readonly tail?: ReactNode
  /**
   * Components of your own for code, links, images, tables, formulas and words. Keep the object the same.
   *
   * @default {}
   */
  readonly renderers?: MarkdownRenderers | undefined
  /** Strings of the view itself. Keep the object the same. @default `englishMarkdownStrings` */
  readonly strings?: MarkdownStrings | undefined
}
