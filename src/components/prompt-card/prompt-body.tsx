'use client'
import type { ReactNode } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { PromptBodyProps } from '../internals/prompt-body-props.ts'

/** What the user decides with, by the kind of the prompt. */
export function PromptBody({ controls, decline }: PromptBodyProps): ReactNode {
  const { prompt, choose } = controls
  return (
    <div className="cs-prompt-actions">
      {decline}
      {prompt.options?.map(({ id, label }) => (
        <button key={id} type="button" className="cs-button" data-kind="plain" onClick={() => void choose(id)}>
          <bdi>{capMarks(label)}</bdi>
        </button>
      ))}
    </div>
  )
}
