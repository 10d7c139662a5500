import type { PromptControls } from '../../react/use-prompts.ts'
import type { ToolCallStatus } from '../../seam/agent-event.ts'

/** What has come of a value: any member of an object may be missing, a list or a string may be shorter. */
export type PartialInput<Input> = Input extends readonly (infer Item)[]
  ? readonly PartialInput<Item>[]
  : Input extends object
    ? { readonly [Key in keyof Input]?: PartialInput<Input[Key]> | undefined }
    : Input

interface ToolViewBase {
  /** The tool, as the agent calls it. */
  readonly name: string
  readonly toolCallId: string
  /** What came out, or why it failed; not checked. Absent: nothing yet. */
  readonly output?: unknown
  /** False when the answer has ended: a tool that still runs by its `state` never came back. */
  readonly live: boolean
  /**
   * The prompt that asks the user to allow this call, whatever became of it, with the ways to answer it. Absent: the agent has not
   * asked.
   */
  readonly approval?: PromptControls | undefined
}

/** What a view of a tool gets. `state` narrows `input`: until the input is complete there is only `partial`. */
export type ToolViewProps<Input = unknown> = ToolViewBase &
  (
    | {
        readonly state: 'preparing'
        /** Absent: always, as it is still coming. */
        readonly input?: undefined
        /** What has come of the input, not checked. Absent: nothing yet. */
        readonly partial?: PartialInput<Input> | undefined
      }
    | {
        readonly state: Exclude<ToolCallStatus, 'preparing'>
        /** The input as the schema gives it. */
        readonly input: Input
        /** Absent: always, as the input is complete. */
        readonly partial?: undefined
      }
  )
