'use client'
import { useMemo, useState } from 'react'
import type { PromptSubject } from '../../seam/prompt.ts'
import type { InputChanges } from './input-changes.ts'
import { inputChanges } from './input-changes.ts'

const MOST_CHANGES = 50

/** The input of a subject as the user changes it. */
export interface InputEdits {
  /** The input as it will be used. */
  readonly input: unknown
  /** The input as it was changed. Undefined: it is as the agent asked for it. */
  readonly edits: unknown
  /** What was changed. Undefined: nothing. */
  readonly changes: InputChanges | undefined
  readonly isEditing: boolean
  begin(): void
  /** Ends without taking over what was entered. */
  leave(): void
  /** Takes over what was entered. */
  take(input: unknown): void
  discard(): void
}

export function useEdits(subject: PromptSubject | undefined): InputEdits {
  const [step, setStep] = useState<'seen' | 'editing'>('seen')
  const [edited, setEdited] = useState<{ readonly input: unknown }>()
  const before = subject?.input
  const changes = useMemo(
    () => (edited === undefined ? undefined : inputChanges(before, edited.input, MOST_CHANGES)),
    [before, edited],
  )
  const isChanged = changes !== undefined && (changes.changes.length > 0 || changes.isCut)
  return {
    input: isChanged ? edited?.input : before,
    edits: isChanged ? edited?.input : undefined,
    changes: isChanged ? changes : undefined,
    isEditing: step === 'editing' && subject?.editable !== undefined,
    begin: () => setStep('editing'),
    leave: () => setStep('seen'),
    take(input) {
      setEdited({ input })
      setStep('seen')
    },
    discard: () => setEdited(undefined),
  }
}
