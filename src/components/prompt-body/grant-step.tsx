'use client'
import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import type { GrantTextProps } from './grant-text.tsx'
import { GrantText } from './grant-text.tsx'
import { wordsOf } from './option-names.ts'
import type { Decision } from './use-decision.ts'

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
