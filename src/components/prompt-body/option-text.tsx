import type { ReactNode } from 'react'
import type { OptionName } from './option-names.ts'

interface OptionTextProps {
  readonly name: OptionName | undefined
  /** It is not taken yet, but shown with what it grants. */
  readonly opensStep?: boolean
}

/** What is written on an option: what it does, then what the agent calls it, as plain text that moves nothing around it. */
export function OptionText({ name, opensStep }: OptionTextProps): ReactNode {
  return (
    <>
      {name?.words !== undefined && (
        <span>
          {name.words}
          {opensStep && '…'}
        </span>
      )}{' '}
      {name?.label !== undefined && <bdi className={name.words && 'cs-option-label'}>{name.label}</bdi>}
    </>
  )
}
