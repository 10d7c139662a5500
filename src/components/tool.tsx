'use client'
import type { ComponentType, ReactNode } from 'react'
import { useState, useEffect, useMemo } from 'react'
import type { StandardSchema, StandardResult } from '../base/standard-schema.ts'
import { useChatStatus } from '../react/chat-context.ts'
import type { PromptControls } from '../react/use-prompts.ts'
import { usePrompt } from '../react/use-prompts.ts'
import type { ToolCallStatus } from '../seam/agent-event.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { messageById } from '../state/chat-snapshot.ts'
import type { ShownToolCall, ToolRenderer } from './message/tool-renderer.ts'
import { createPartialJson } from './partial-json.ts'

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

/**
 * How the calls of a tool are shown, for `tools` of `Chat`, `MessageList` and `Message`. The view gets the input with the type of the
 * schema: while it is coming, what has come as `partial`; when it is complete, checked. An input that does not fit the schema, and a
 * view that throws, are shown as a `ToolCall`.
 *
 * @param schema any Standard Schema, version 1, such as one of Zod, Valibot or ArkType
 * @example
 * ```tsx
 * import { Chat, tool, type ToolViewProps } from 'capstan/components'
 * import { z } from 'zod'
 *
 * const place = z.object({ place: z.string() })
 * const Weather = ({ state, input, partial }: ToolViewProps<z.infer<typeof place>>) => (
 *   <p>Weather in {(input ?? partial)?.place}: {state}</p>
 * )
 * const tools = { weather: tool(place, Weather) }
 * export const Desk = () => <Chat tools={tools} />
 * ```
 */
export function tool<Input>(schema: StandardSchema<Input>, View: ComponentType<ToolViewProps<Input>>): ToolRenderer {
  return { render: (call) => <ToolPart call={call} schema={schema} View={View} /> }
}

interface ToolPartProps<Input> {
  readonly call: ShownToolCall
  readonly schema: StandardSchema<Input>
  readonly View: ComponentType<ToolViewProps<Input>>
}

function ToolPart<Input>({ call, schema, View }: ToolPartProps<Input>): ReactNode {
  const { part, messageId, live, fallback } = call
  const { id, name, status, input, partialInput, output } = part
  const [reader] = useState(createPartialJson)
  const checked = useCheckedInput(schema, input, status !== 'preparing')
  // Ids of calls are unique in their message only.
  const promptId = useChatStatus(
    ({ messages }) =>
      messageById(messages, messageId)?.parts.findLast(
        (other) => other.type === 'prompt' && other.prompt.subject?.toolCallId === id,
      )?.id,
  )
  const approval = usePrompt(promptId ?? '')
  const base = { name, toolCallId: id, output, live, approval }
  let view: ReactNode
  if (status === 'preparing') {
    // Both are JSON of the agent. The type says that any of it may be missing; that it is of the right kind is checked when it is complete.
    const partial = (input ?? reader.read(partialInput ?? '')) as PartialInput<Input> | undefined
    view = <View {...base} state="preparing" partial={partial} />
  } else if (checked === undefined || checked.issues) return fallback
  else view = <View {...base} state={status} input={checked.value} />
  return (
    <ErrorBoundary resetKeys={[status, live]} fallback={fallback}>
      {view}
    </ErrorBoundary>
  )
}

const INVALID: StandardResult<never> = { issues: [{ message: 'The schema threw.' }] }

/**
 * What a schema says of an input. Undefined: it is still checking, or there is nothing to check.
 *
 * @param isComplete whether there is an input to check
 */
function useCheckedInput<Input>(
  schema: StandardSchema<Input>,
  input: unknown,
  isComplete: boolean,
): StandardResult<Input> | undefined {
  const said = useMemo(() => (isComplete ? check(schema, input) : undefined), [schema, input, isComplete])
  const [later, setLater] = useState<{ readonly of: unknown; readonly result: StandardResult<Input> }>()
  useEffect(() => {
    if (!(said instanceof Promise)) return
    let isCurrent = true
    const settle = (result: StandardResult<Input>): void => {
      if (isCurrent) setLater({ of: said, result })
    }
    said.then(settle, () => settle(INVALID))
    return () => {
      isCurrent = false
    }
  }, [said])
  if (!(said instanceof Promise)) return said
  return later?.of === said ? later.result : undefined
}

function check<Input>(
  schema: StandardSchema<Input>,
  input: unknown,
): StandardResult<Input> | Promise<StandardResult<Input>> {
  try {
    return schema['~standard'].validate(input)
  } catch {
    return INVALID
  }
}
