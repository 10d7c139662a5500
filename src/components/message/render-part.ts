import type { ReactNode } from 'react'
import type { MessagePart } from '../../state/turn.ts'

/**
 * Shows a part of a message in your own way, or returns undefined to leave it to capstan; null shows nothing. Asked for
 * every kind of part, more than once. Thoughts and steps that you leave stay together in one fold and one card, behind
 * those you show. Showing a citations part replaces the list of sources; the marks in the text stay. Keep the function
 * stable: parts re-render when it changes. It is a function and no map of components, so that what a part holds can
 * decide as well as its kind: `part.type` narrows the rest.
 */
export type RenderPart = (part: MessagePart, state: { readonly live: boolean }) => ReactNode | undefined

/** A tool call of a message, as a renderer gets it. */
export interface ShownToolCall {
  readonly part: Extract<MessagePart, { readonly type: 'tool-call' }>
  readonly messageId: string
  /** False when the answer has ended: a tool that never came back stays unfinished. */
  readonly live: boolean
  /** The call as a `ToolCall`. */
  readonly fallback: ReactNode
}

/** How the calls of one tool are shown; made by `tool` of `capstan/components`. */
export interface ToolRenderer {
  render(call: ShownToolCall): ReactNode
}

/** How tools are shown, by the name the agent calls them. A tool without one is shown as a `ToolCall`. */
export type ToolRenderers = Readonly<Record<string, ToolRenderer>>
