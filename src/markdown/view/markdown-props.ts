import { type ComponentPropsWithoutRef, type ReactNode, type ComponentType, createContext } from 'react'
import type { MathSyntax, Chunks, CodeLine } from '../inline/tree.ts'

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
   * Your own components for code, links, images, tables, formulas and words. Keep the object the same.
   *
   * @default {}
   */
  readonly renderers?: MarkdownRenderers | undefined
  /** Strings of the view itself. Keep the object the same. @default `englishMarkdownStrings` */
  readonly strings?: MarkdownStrings | undefined
}

/** A block of code as it is on the page. */
export interface CodeRendererProps {
  /** The first word behind the opening fence, in lower case: the language, as the agent wrote it. */
  readonly language: string | undefined
  /** Its lines in pieces of at most 32. A piece that is the same object as before has the same lines. */
  readonly lines: Chunks<CodeLine>
  /** No more lines come. */
  readonly closed: boolean
  /** Nothing is added to the last line any more. */
  readonly ended: boolean
  /** What is after the last letter: the caret, while the answer grows here. */
  readonly tail: ReactNode
}

export interface LinkRendererProps {
  /** An absolute http, https, mailto or tel address. Whatever else an agent writes as a link is shown as its words. */
  readonly href: string
  readonly title: string | undefined
  readonly children: ReactNode
}

export interface ImageRendererProps {
  /** An absolute http or https address. Render no element with it before the reader has asked for it: browsers load what they see. */
  readonly src: string
  readonly alt: string
  readonly title: string | undefined
}

export interface TableRendererProps {
  /** The `table` element. */
  readonly children: ReactNode
}

export interface MathRendererProps {
  /** The formula as it was written, without its marks. */
  readonly text: string
  /** On its own line or a block (such as a fence with the language `math`), not a piece of a line. */
  readonly display: boolean
}

/** A component for formulas. */
export type MathRenderer = ComponentType<MathRendererProps> & {
  /** How formulas are written: `mathSyntax` of `capstan/markdown`. @default only as fences with the language `math` */
  readonly syntax?: MathSyntax | undefined
}

/** Components that show pieces of a message in your own way. Keep each of them the same from render to render. */
export interface MarkdownRenderers {
  /** Blocks of code. @default capstan's block */
  readonly code?: ComponentType<CodeRendererProps> | undefined
  /** Links. @default capstan's link */
  readonly link?: ComponentType<LinkRendererProps> | undefined
  /** Images. @default capstan's image */
  readonly image?: ComponentType<ImageRendererProps> | undefined
  /** The frame of a table, which scrolls where the table is wider than the message. @default capstan's frame */
  readonly table?: ComponentType<TableRendererProps> | undefined
  /** Formulas. Absent: formulas are shown as they were written. */
  readonly math?: MathRenderer | undefined
  /** Text between marks. @default the text */
  readonly text?: ComponentType<{ readonly text: string }> | undefined
}

/** What the view says itself, beside what is in the message. */
export interface MarkdownStrings {
  /** The name of a table's frame, which the keyboard can scroll. */
  readonly table: string
  /** The name of a block of code, which the keyboard can scroll. */
  readonly code: string
  readonly taskOpen: string
  readonly taskDone: string
  /** The heading of the notes below a message. */
  readonly footnotes: string
  /** The mark of a footnote in the text. */
  readonly footnote: (number: number) => string
  /** Leads from a footnote to its mark. */
  readonly backToText: string
  /** An image that has not been loaded, after its own words. */
  readonly imageFrom: (host: string) => string
}

export const englishMarkdownStrings: MarkdownStrings = {
  table: 'Table',
  code: 'Code',
  taskOpen: 'To do',
  taskDone: 'Done',
  footnotes: 'Footnotes',
  footnote: (number) => `Footnote ${number}`,
  backToText: 'Back to the text',
  imageFrom: (host) => `Image at ${host}`,
}

/** What every node of a message's view may ask for. Stays the same object while the message grows. */
interface MarkdownSettings {
  readonly renderers: MarkdownRenderers
  readonly strings: MarkdownStrings
}

export const MarkdownContext = createContext<MarkdownSettings>({ renderers: {}, strings: englishMarkdownStrings })

/** More text may come. */
export const GrowingContext = createContext(false)

/** Numbers of footnotes by their labels, in the order in which the text names them first. */
export const FootnoteContext = createContext<ReadonlyMap<string, number>>(new Map())
