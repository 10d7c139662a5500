'use client'

import { type ReactNode, useEffect, useId, useRef } from 'react'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { wordsOf } from './option-buttons.tsx'
import type { Decision } from './decision.tsx'
import type { PromptOption } from '../../seam/prompt.ts'
import { grantTime, timeOf } from '../../strings/prompts.ts'
import { LiteralValue } from '../literal-value.tsx'

/** The second step to an option that allows more than this one time: what it grants and for how long, then the button that does it. */
export function GrantStep({
  option,
  decision,
  isSaid,
}: Pick<GrantTextProps, 'option' | 'isSaid'> & { readonly decision: Decision }): ReactNode {
  const strings = usePromptStrings().approval
  const textId = useId()
  const back = useRef<HTMLButtonElement>(null)
  // The user has just used the button that this takes the place of.
  useEffect(() => back.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <GrantText id={textId} option={option} isSaid={isSaid} />
      <div className="cs-prompt-actions">
        <button
          ref={back}
          type="button"
          className="cs-button cs-back"
          data-kind="plain"
          aria-describedby={textId}
          onClick={(event) => {
            // The button is removed, so the focus moves to what it is in.
            event.currentTarget.closest<HTMLElement>('.cs-decision')?.focus({ preventScroll: true })
            decision.back()
          }}
        >
          {strings.back}
        </button>
        <button
          type="button"
          className="cs-button"
          data-kind="primary"
          aria-describedby={textId}
          onClick={decision.commit}
        >
          {wordsOf(option, strings)}
        </button>
      </div>
    </>
  )
}

const LONGEST = 1_000

interface GrantTextProps {
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
