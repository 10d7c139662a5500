'use client'
import type { ReactNode } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { shorten } from './describe-error.ts'

interface ErrorDetailsProps {
  /** Codes and numbers to quote to whoever runs the agent; absent ones are left out. */
  readonly facts: readonly (string | 0 | undefined)[]
  /** The sentence that came with the error, shown as text whatever stands in it. */
  readonly said: string
}

/** What support asks for, folded. */
export function ErrorDetails({ facts, said }: ErrorDetailsProps): ReactNode {
  const words = useDictionary().error
  return (
    <details className="cs-fold cs-error-details">
      <summary className="cs-fold-summary">
        {words.details}
        <Icon name="chevron" size={14} className="cs-chevron" />
      </summary>
      <div className="cs-fold-body">
        <p className="cs-code-id">{facts.filter((fact) => fact).join(' · ')}</p>
        <p className="cs-error-said" dir="auto">
          {shorten(said, 2000)}
        </p>
      </div>
    </details>
  )
}
