'use client'
import type { ReactNode } from 'react'
import { forwardRef } from 'react'
import type { Prompt } from '../../seam/prompt.ts'
import { FoldSummary } from '../internals/fold-summary.tsx'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import type { DecisionProps } from './decision-root.tsx'
import { DecisionRoot } from './decision-root.tsx'
import { LiteralValue } from '../literal-value/literal-value.tsx'

export interface UnknownPromptProps extends DecisionProps {}

const FIRST_CHARACTERS = 4_000

/**
 * Renders a `<div>`: says that this kind of question is not known here and can only be declined, with what the agent sent as JSON
 * behind it.
 *
 * @example
 * ```tsx
 * import { usePrompt } from 'capstan/react'
 * import { UnknownPrompt } from 'capstan/components'
 *
 * export function Unknown({ id }: { id: string }) {
 *   const controls = usePrompt(id)
 *   const decline = <button onClick={() => void controls?.decline()}>Decline</button>
 *   return controls && <UnknownPrompt controls={controls} isReady isSending={false} decline={decline} />
 * }
 * ```
 */
export const UnknownPrompt = forwardRef<HTMLDivElement, UnknownPromptProps>(
  function UnknownPrompt(props, ref): ReactNode {
    const { controls, decline } = props
    const strings = usePromptStrings().unknown
    return (
      <DecisionRoot {...props} ref={ref}>
        <p>{strings.text}</p>
        <details className="cs-fold">
          <FoldSummary label={strings.sent} />
          <div className="cs-fold-body">
            <LiteralValue value={sentOf(controls.prompt)} limit={FIRST_CHARACTERS} />
          </div>
        </details>
        {decline && <div className="cs-prompt-actions">{decline}</div>}
      </DecisionRoot>
    )
  },
)

/** The schema, or what else the agent said of a prompt that has none. */
function sentOf({ schema, subject, options, url }: Prompt): unknown {
  return schema ?? { ...(subject && { subject }), ...(options && { options }), ...(url !== undefined && { url }) }
}
