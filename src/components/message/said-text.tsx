'use client'
import type { ReactNode } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { MessagePart } from '../../state/message.ts'
import { useDraft } from '../composer/draft-context.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { StepButton } from '../internals/step-button.tsx'

/** What the user said into the running answer, at the place where it was said, and whether the agent has received it. */
export function SaidText({ text, status }: Extract<MessagePart, { readonly type: 'said' }>): ReactNode {
  const strings = useDictionary().message
  const draft = useDraft()
  return (
    <div className="cs-said" role="group" aria-label={strings.you}>
      <div className="cs-bubble cs-text" dir="auto">
        {capMarks(text)}
      </div>
      <p className="cs-meta" role="status">
        {status === 'sending' ? strings.sending : status === 'sent' ? strings.received : strings.unconfirmed}
      </p>
      {status === 'not-sent' && <StepButton onPress={() => draft.edit(text)}>{strings.edit}</StepButton>}
    </div>
  )
}
