'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, memo } from 'react'
import type { ToolCallStatus } from '../seam/agent-event.ts'
import { JsonView } from './data-block.tsx'
import { shownFailure } from '../base/tool-failures.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'
import { FoldSummary } from './internals/folding.tsx'
import { useLiveTime } from './internals/live-time.tsx'

/** The `data-*` attributes of `ToolCall`. */
export const toolCallAttributes = {
  root: {
    selector: '.cs-fold',
    attributes: {
      'data-state': {
        values: ['preparing', 'running', 'waiting', 'complete', 'failed', 'denied', 'unfinished'],
        meaning: 'The status of the call; `unfinished` when the answer ended before the call did',
      },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof toolCallAttributes>

export interface ToolCallProps extends Omit<ComponentPropsWithoutRef<'details'>, 'children'> {
  /** The tool, as the agent calls it. */
  readonly name: string
  /**
   * The state of the call: words, a glyph and `data-state` say it. `preparing` while its input arrives, `waiting` for the
   * user to allow it, `denied` when the user did not.
   */
  readonly status: ToolCallStatus
  /** What went in: any JSON value, shown when the row is opened. Absent: none. */
  readonly input?: unknown
  /** The beginning of the input as JSON text, shown while there is no `input`. Absent: none. */
  readonly partialInput?: string | undefined
  /** Its result, or why it failed. Absent: none. */
  readonly output?: unknown
  /** How long it took, in milliseconds. @default what was seen while it ran */
  readonly durationMs?: number | undefined
  /** False when the answer has ended: a tool that never came back is then shown as unfinished. @default true */
  readonly live?: boolean | undefined
  /**
   * Replaces the root `<details>`; receives the props to spread and the part's state.
   *
   * @default the part's root element
   */
  readonly render?: RenderRoot<{ readonly status: ToolCallProps['status'] | 'unfinished' }> | undefined
}

/**
 * Renders a `<details>`: a tool call as one row that expands to its input and result.
 *
 * @example
 * ```tsx
 * import { ToolCall } from 'capstan/components'
 *
 * export const Gauge = () => (
 *   <ToolCall name="read_gauge" status="complete" input={{ place: 'bridge' }} output={{ level_m: 2.14 }} />
 * )
 * ```
 */
export const ToolCall = memo(
  forwardRef<HTMLDetailsElement, ToolCallProps>(function ToolCall(props, ref): ReactNode {
    const { name, status, input, partialInput, output, durationMs, live = true, render, className, ...rest } = props
    const strings = useDictionary().tool
    const isOpen = status === 'preparing' || status === 'running' || status === 'waiting'
    const state = isOpen && !live ? 'unfinished' : status
    const moving = state === 'preparing' || state === 'running'
    const seen = useLiveTime(moving)
    const hasFailed = state === 'failed' || state === 'denied'
    const took = durationMs ?? seen ?? 0
    const children = (
      <>
        <FoldSummary
          label={strings[state](name)}
          icon={state === 'failed' ? 'alert' : state === 'denied' ? 'x' : state === 'waiting' ? 'clock' : 'tool'}
          moving={moving}
          took={took >= 1000 && took}
        />
        <div className="cs-fold-body">
          <Value label={strings.input} value={input === undefined ? partialInput : input} />
          <Value label={strings.output} value={hasFailed ? shownFailure(output, strings.failures) : output} />
        </div>
      </>
    )
    return (
      <Root
        tag="details"
        render={render}
        root={{
          ...rest,
          className: classNames('cs-part cs-fold', className),
          'data-state': state satisfies Attributes['data-state'],
          children,
        }}
        state={{ status: state }}
        rootRef={ref}
      />
    )
  }),
)

function Value({ label, value }: { readonly label: string; readonly value: unknown }): ReactNode {
  return (
    value !== undefined && (
      <>
        <p className="cs-meta">{label}</p>
        <JsonView value={value} />
      </>
    )
  )
}
