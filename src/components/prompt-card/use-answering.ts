'use client'
import { useMemo, useState } from 'react'
import type { AgentError } from '../../base/agent-error.ts'
import type { PromptControls } from '../../react/use-prompts.ts'
import type { AnswerResult } from '../../state/answer-result.ts'

/** The same controls, and why the last answer was not sent. */
export function useAnswering(controls: PromptControls): {
  readonly controls: PromptControls
  readonly refusal: AgentError | undefined
} {
  const [refusal, setRefusal] = useState<AgentError>()
  const watched = useMemo<PromptControls>(() => {
    const watch = async (answering: Promise<AnswerResult>): Promise<AnswerResult> => {
      setRefusal(undefined)
      const result = await answering
      setRefusal(result.status === 'refused' ? result.error : undefined)
      return result
    }
    const { prompt, choose, submit, confirm, decline, cancel, repeat } = controls
    return {
      prompt,
      choose: (optionId, edits) => watch(choose(optionId, edits)),
      submit: (value) => watch(submit(value)),
      confirm: () => watch(confirm()),
      decline: (reason) => watch(decline(reason)),
      cancel: () => watch(cancel()),
      repeat: repeat && (() => watch(repeat())),
    }
  }, [controls])
  return { controls: watched, refusal }
}
