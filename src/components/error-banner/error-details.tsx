'use client'
import type { ReactNode } from 'react'
import type { AgentError } from '../../base/agent-error.ts'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'

export interface ErrorDetailsProps {
  readonly error: AgentError
  /** Shown so that people can quote it to whoever runs the agent. */
  readonly requestId?: string | undefined
}

/** What support asks for, folded: code, status, request id, and the sentence that came with the error, as plain text. */
export function ErrorDetails({ error, requestId }: ErrorDetailsProps): ReactNode {
  const words = useDictionary().error
  const facts = [
    error.agentCode ?? error.code,
    error.status === undefined ? undefined : words.status(error.status),
    requestId === undefined ? undefined : words.request(requestId),
  ]
  return (
    <details className="cs-fold cs-error-details">
      <summary className="cs-fold-summary">
        {words.details}
        <Icon name="chevron" size={14} className="cs-chevron" />
      </summary>
      <div className="cs-fold-body">
        <p className="cs-code-id">{facts.filter((fact) => fact !== undefined).join(' · ')}</p>
        <p className="cs-error-said" dir="auto">
          {error.message}
        </p>
      </div>
    </details>
  )
}
