import type { ReactNode } from 'react'
import type { PromptOption } from '../../protocols/prompt.ts'
import { usePromptStrings } from '../prompt-strings/prompt-strings-context.tsx'
import { timeOf } from './grant-time.ts'
import { LiteralValue } from '../literal-value/literal-value.tsx'

const LONGEST = 1_000

/** What an option allows beyond this one time, as the agent says it, and for how long. */
export function GrantText({ option, id }: { readonly option: PromptOption; readonly id?: string }): ReactNode {
  const strings = usePromptStrings().approval
  const time = timeOf(option)
  return (
    <div id={id} className="cs-grant">
      <p>
        {strings.grants}{' '}
        <strong className="cs-strong">{time === undefined ? strings.noEnd : strings.forTime(time)}</strong>
      </p>
      <p>{option.grants === undefined ? strings.grantsUnknown : strings.grantsSaid}</p>
      {option.grants !== undefined && <LiteralValue value={option.grants} limit={LONGEST} />}
    </div>
  )
}
