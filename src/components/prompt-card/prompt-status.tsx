'use client'
import type { ReactNode } from 'react'
import type { AgentError } from '../../base/agent-error.ts'
import { capMarks } from '../../base/cap-marks.ts'
import type { PromptControls } from '../../react/use-prompts.ts'
import { shorten } from '../error-details/describe-error.ts'
import { Icon } from '../internals/icon.tsx'
import type { PromptCardStrings } from '../../strings/prompts.ts'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'

const LONGEST_ERROR = 500
/** Errors of the agent that are shown. */
const MOST_ERRORS = 5

/** State of the answer of a prompt, where there is something to say. */
export function PromptStatus({
  controls,
  refusal,
}: {
  readonly controls: PromptControls
  readonly refusal: AgentError | undefined
}): ReactNode {
  const strings = usePromptStrings().card
  const { prompt, repeat } = controls
  const tone = prompt.state === 'open' || prompt.state === 'unconfirmed' ? 'caution' : undefined
  const words = wordsOf(controls, refusal, strings)
  return (
    <div className="cs-prompt-status" role="status" data-tone={words === undefined ? undefined : tone}>
      {words !== undefined && (
        <>
          <Icon name={tone === undefined ? 'pending' : 'alert'} />
          <p>{words}</p>
          {repeat && (
            <button type="button" className="cs-button" data-kind="plain" onClick={() => void repeat()}>
              {strings.sendAgain}
            </button>
          )}
        </>
      )}
      {prompt.state === 'open' && errorsOf(controls).length > 0 && (
        <ul>
          {errorsOf(controls).map((message, index) => (
            // Two errors may have the same words.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} dir="auto">
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function wordsOf(
  { prompt }: PromptControls,
  refusal: AgentError | undefined,
  strings: PromptCardStrings,
): string | undefined {
  switch (prompt.state) {
    case 'open':
      if (prompt.errors !== undefined && prompt.errors.length > 0) return strings.refused
      return refusal === undefined ? undefined : strings.notSent
    case 'staged':
    case 'sending':
    case 'unconfirmed':
      return strings[prompt.state]
    default:
      return undefined
  }
}

/** Those that no field of a form shows. */
function errorsOf({ prompt: { errors = [], kind } }: PromptControls): readonly string[] {
  return errors
    .filter(({ path }) => kind !== 'form' || path === '')
    .slice(0, MOST_ERRORS)
    .map(({ message }) => capMarks(shorten(message, LONGEST_ERROR)))
}
