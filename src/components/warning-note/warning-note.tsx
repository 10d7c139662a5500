'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import type { AgentError } from '../../base/agent-error.ts'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { classNames } from '../part.ts'

export interface WarningNoteProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  readonly error: AgentError
  /** Absent: the note stays. */
  readonly onDismiss?: (() => void) | undefined
}

/** A WARNING under the part it concerns: the stream goes on. The sentence is the agent's, as plain text. */
export function WarningNote({ error, onDismiss, className, ...rest }: WarningNoteProps): ReactNode {
  const words = useDictionary().error
  return (
    <div role="note" {...rest} data-tone="warning" data-code={error.code} className={classNames('cs-part cs-note', className)}>
      <Icon name="alert" />
      <span className="cs-note-text">
        <span className="cs-hidden">{words.warning}: </span>
        <bdi>{error.message}</bdi> <code className="cs-code-id">{error.agentCode ?? error.code}</code>
      </span>
      {onDismiss && (
        <button type="button" className="cs-icon-button" data-size="small" aria-label={words.dismiss} onClick={onDismiss}>
          <Icon name="x" size={14} />
        </button>
      )}
    </div>
  )
}
