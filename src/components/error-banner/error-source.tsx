import type { ReactNode } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { AgentError } from '../../base/agent-error.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { shorten } from '../error-details/describe-error.ts'

const MOST_CHARACTERS = 500

/** Where the request went, and the beginning of what could not be read, each as text. */
export function ErrorSource({ error: { details = {} } }: { readonly error: AgentError }): ReactNode {
  const strings = useDictionary().error
  const facts: readonly (readonly [label: string, value: unknown])[] = [
    [strings.address, details['url']],
    [strings.packet, details['raw']],
  ]
  return facts.map(([label, value]) =>
    typeof value === 'string' && value !== '' ? (
      <p key={label} className="cs-code-id">
        <span>{`${label}: `}</span>
        <bdi>{capMarks(shorten(value, MOST_CHARACTERS))}</bdi>
      </p>
    ) : null,
  )
}
