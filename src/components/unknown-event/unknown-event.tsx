'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { jsonText } from '../json-text.ts'
import { classNames } from '../part.ts'

export interface UnknownEventProps extends Omit<ComponentPropsWithoutRef<'details'>, 'children'> {
  readonly name: string
  readonly raw: unknown
}

/** An event the protocol allows and this kit has no part for: kept and folded, never fatal. */
export function UnknownEvent({ name, raw, className, ...rest }: UnknownEventProps): ReactNode {
  const words = useDictionary().unknown
  return (
    <details {...rest} className={classNames('cs-part cs-unknown', className)}>
      <summary className="cs-unknown-summary">
        <Icon name="puzzle" />
        <span>{words.title}</span>
        <code className="cs-code-id cs-clip">{name}</code>
        <span className="cs-grow" />
        <Icon name="chevron" size={14} className="cs-chevron" />
      </summary>
      <pre className="cs-unknown-raw" tabIndex={0}>
        {jsonText(raw)}
      </pre>
    </details>
  )
}
