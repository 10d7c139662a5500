'use client'
import type { ComponentType, ReactNode } from 'react'
import { useState } from 'react'
import type { StandardSchema } from '../../base/standard-schema.ts'
import { useChatSelector } from '../../react/use-chat-selector.ts'
import { usePrompt } from '../../react/use-prompts.ts'
import { ErrorBoundary } from '../error-boundary/error-boundary.tsx'
import { messageById } from '../internals/message-by-id.ts'
import type { ShownToolCall, ToolRenderer } from '../message/tool-renderer.ts'
import { createPartialJson } from './partial-json.ts'
import type { PartialInput, ToolViewProps } from './tool-view-props.ts'
import { useCheckedInput } from './use-checked-input.ts'

/**
 * How the calls of a tool are shown, for `tools` of `Chat`, `MessageList` and `Message`. The view gets the input with the type of the
 * schema: while it is coming, what has come as `partial`; when it is complete, checked. An input that does not fit the schema, and a
 * view that throws, are shown as a `ToolCall`.
 *
 * @param schema any Standard Schema, version 1, such as one of Zod, Valibot or ArkType
 * @example
 * ```tsx
 * import { Chat } from 'capstan/components'
 * import { tool, type ToolViewProps } from 'capstan/tools'
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
  const promptId = useChatSelector(
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
