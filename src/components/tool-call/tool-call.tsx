'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { memo } from 'react'
import { JsonView } from '../data-block/json-view.tsx'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import type { RenderRoot } from '../part.ts'
import { classNames, renderRoot } from '../part.ts'
import { useLiveTime } from '../thought-trace/use-live-time.ts'

export interface ToolCallProps extends Omit<ComponentPropsWithoutRef<'details'>, 'children'> {
  readonly name: string
  readonly status: 'running' | 'complete' | 'failed'
  /** What went in: any JSON value, shown when the line is opened. */
  readonly input?: unknown
  /** What came out, or why it failed. */
  readonly output?: unknown
  /** How long it took, in milliseconds. Default: what was seen while it ran. */
  readonly durationMs?: number | undefined
  /** Puts the content on a `details` of your own. */
  readonly render?: RenderRoot<{ readonly status: ToolCallProps['status'] }>
}

/** A tool the agent used: one line that opens to what went in and what came out. `data-state` is the status. */
export const ToolCall = memo(function ToolCall(props: ToolCallProps): ReactNode {
  const { name, status, input, output, durationMs, render, className, ...rest } = props
  const dictionary = useDictionary()
  const words = dictionary.tool
  const seen = useLiveTime(status === 'running')
  const took = durationMs ?? seen ?? 0
  const children = (
    <>
      <summary className="cs-fold-summary">
        <Icon name={status === 'failed' ? 'alert' : 'tool'} />
        <bdi className={status === 'running' ? 'cs-shimmer' : undefined}>{words[status](name)}</bdi>
        {took >= 1000 && (
          <bdi className="cs-dim cs-figures" aria-hidden="true">
            {dictionary.thought.elapsed(took)}
          </bdi>
        )}
        <Icon name="chevron" size={14} className="cs-chevron" />
      </summary>
      <div className="cs-fold-body">
        <Value label={words.input} value={input} />
        <Value label={words.output} value={output} />
      </div>
    </>
  )
  return renderRoot('details', render, { ...rest, className: classNames('cs-part cs-fold', className), 'data-state': status, children }, { status })
})

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
