import type { ReactNode } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { FoldSummary } from './internals/fold-summary.tsx'
import { shorten } from './describe-error.ts'

interface ErrorDetailsProps {
  /** Default: the dictionary's label for the details of an error. */
  readonly label?: string | undefined
  /** Codes and numbers to quote to whoever runs the agent; absent ones are left out. */
  readonly facts: readonly (string | number | undefined)[]
  /** The sentence that came with the error, shown as text whatever is in it. */
  readonly said?: string | undefined
  readonly children?: ReactNode
}

/** What support asks for, folded. */
export function ErrorDetails({ label, facts, said, children }: ErrorDetailsProps): ReactNode {
  const strings = useDictionary().error
  const codes = facts.filter((fact) => fact !== undefined && fact !== '').join(' · ')
  return (
    <details className="cs-fold cs-error-details">
      <FoldSummary label={label ?? strings.details} />
      <div className="cs-fold-body">
        {codes && <p className="cs-code-id">{capMarks(codes)}</p>}
        {said && (
          <p className="cs-error-said" dir="auto">
            {capMarks(shorten(said, 2000))}
          </p>
        )}
        {children}
      </div>
    </details>
  )
}
