import type { ReactNode } from 'react'
import type { MessagePart } from '../../state/message.ts'

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
