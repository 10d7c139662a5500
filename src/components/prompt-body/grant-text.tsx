import type { ReactNode } from 'react'
import type { PromptOption } from '../../seam/prompt.ts'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { grantTime, timeOf } from '../../strings/prompts.ts'
import { LiteralValue } from '../literal-value/literal-value.tsx'

const LONGEST = 1_000

export interface GrantTextProps {
  readonly option: PromptOption
  readonly id?: string
  /** What the prompt shows above is all that it allows, unless the agent says more. @default false */
  readonly isSaid?: boolean | undefined
}

/** What an option allows beyond this one time, as the agent says it, and for how long. */
export function GrantText({ option, id, isSaid = false }: GrantTextProps): ReactNode {
  const words = usePromptStrings()
  const { approval: strings, permission } = words
  const { kind, grants } = option
  const isMore = kind === 'allow-always' || grants !== undefined || typeof timeOf(option) === 'number'
  return (
    <div id={id} className="cs-grant">
      <p>
        <span>{`${isMore ? strings.grants : permission.duration} `}</span>
        <strong className="cs-strong">{grantTime(option, words)}</strong>
      </p>
      {grants === undefined ? (
        isMore && !isSaid && <p>{strings.grantsUnknown}</p>
      ) : (
        <>
          <p>{strings.grantsSaid}</p>
          <LiteralValue value={grants} limit={LONGEST} />
        </>
      )}
    </div>
  )
}
