'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { jsonText } from '../json-text.ts'
import { classNames } from '../part.ts'

export interface ToolCallProps extends Omit<ComponentPropsWithoutRef<'details'>, 'children'> {
  readonly name: string
  readonly status: 'running' | 'complete' | 'failed'
  readonly input?: unknown
  readonly output?: unknown
}

/** A tool the agent used: one line that opens to what went in and what came out. */
export function ToolCall({ name, status, input, output, className, ...rest }: ToolCallProps): ReactNode {
  const words = useDictionary().tool
  return (
    <details {...rest} data-state={status} className={classNames('cs-part cs-fold', className)}>
      <summary className="cs-fold-summary">
        <Icon name={status === 'failed' ? 'alert' : 'tool'} />
        <span className={status === 'running' ? 'cs-shimmer' : undefined}>{words[status](name)}</span>
        <Icon name="chevron" size={14} className="cs-chevron" />
      </summary>
      <div className="cs-fold-body">
        {input !== undefined && <Value label={words.input} value={input} />}
        {output !== undefined && <Value label={words.output} value={output} />}
      </div>
    </details>
  )
}

function Value({ label, value }: { readonly label: string; readonly value: unknown }): ReactNode {
  return (
    <>
      <p className="cs-meta">{label}</p>
      <pre className="cs-json" tabIndex={0}>
        {jsonText(value)}
      </pre>
    </>
  )
}
