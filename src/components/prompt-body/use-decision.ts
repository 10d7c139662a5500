'use client'
import type { MouseEvent } from 'react'
import { useState } from 'react'
import type { PromptBodyProps } from '../internals/prompt-body-props.ts'
import type { PromptOption } from '../../seam/prompt.ts'

/** The way from an option to an answer: one that allows more than this one time is shown with what it grants first. */
export interface Decision {
  /** The option that is shown with what it grants. Undefined: none is. */
  readonly asked: PromptOption | undefined
  /** Takes an option, or shows what it grants. */
  take(option: PromptOption): void
  /** Takes an option of which the user sees what it grants. */
  choose(option: PromptOption): void
  /** Takes the option that is shown. */
  commit(event: MouseEvent): void
  back(): void
}

/** @param edits the input as the user changed it. Undefined: unchanged */
export function useDecision({ controls, isReady, isSending }: PromptBodyProps, edits?: unknown): Decision {
  const [askedId, setAskedId] = useState<string>()
  const asked = controls.prompt.options?.find(({ id }) => id === askedId)
  const choose = ({ id }: PromptOption): void => {
    if (isReady && !isSending) void controls.choose(id, edits)
  }
  return {
    asked,
    choose,
    take(option) {
      if (option.kind === 'allow-always') setAskedId(option.id)
      else choose(option)
    },
    commit(event) {
      // The second click of a double click was meant for the button that was here before.
      if (asked !== undefined && event.detail < 2) choose(asked)
    },
    back: () => setAskedId(undefined),
  }
}
