import type { JsonObject } from '../../base/json-object.ts'
import type { JsonSchema } from '../../seam/prompt.ts'
import type { AgUiMessage } from './messages.ts'

/** A tool of the page, offered to the agent with every run. */
export interface AgUiTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters?: JsonSchema | undefined
}

/** An answer to an interrupt, as it goes back. */
export interface AgUiResume {
  readonly interruptId: string
  readonly status: 'resolved' | 'cancelled'
  readonly payload?: unknown
}

/** What is posted for a run (AG-UI 1.0, RunAgentInput). */
export interface AgUiRunInput {
  readonly threadId: string
  readonly runId: string
  readonly protocolVersion: string
  /** The run whose questions this one answers. */
  readonly parentRunId?: string | undefined
  /** The whole thread. */
  readonly messages: readonly AgUiMessage[]
  readonly state: unknown
  readonly tools: readonly AgUiTool[]
  readonly context: readonly { readonly description: string; readonly value: string }[]
  readonly forwardedProps: JsonObject
  readonly resume?: readonly AgUiResume[] | undefined
}

/** One run, and what its answers mean for the calls that have waited for them. */
export interface AgUiRequest {
  readonly body: AgUiRunInput
  /** Calls that the user has answered: they continue in this run. */
  readonly answered: Readonly<Record<string, 'allowed' | 'denied'>>
  /** How many messages at the end of the thread are new in this run: results of the page's tools. */
  readonly results: number
  /** Id of the edit of the user that `state` has taken along. Absent: none. */
  readonly stateEdit?: string | undefined
}
