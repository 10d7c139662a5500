'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, memo } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { AgentError } from '../../base/agent-error.ts'
import { codeOf, describeError, findByCode } from '../error-details/describe-error.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Icon } from '../internals/icon.tsx'
import { IconButton } from '../internals/icon-button.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'

export interface WarningNoteProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** An error of severity WARNING. The dictionary's words for its code are shown, else the agent's own sentence as plain text, beside the code. */
  readonly error: AgentError
  /** Called by the button that dismisses the note. Absent: the note stays. */
  readonly onDismiss?: (() => void) | undefined
  /** Replaces the root element; receives the props to spread and the part's state. */
  readonly render?: RenderRoot<{ readonly error: AgentError }> | undefined
}

/** A WARNING under the part it concerns: the stream goes on. `data-code`. */
export const WarningNote = memo(forwardRef<HTMLDivElement, WarningNoteProps>(function WarningNote({ error, onDismiss, render, className, ...rest }, ref): ReactNode {
  const dictionary = useDictionary()
  const words = dictionary.error
  const { title, text } = describeError(error, dictionary)
  // For a code nobody has words for the headline would only say that there is a problem.
  const known = codeOf(error) !== 'agent_error' || findByCode(dictionary.agentErrorMessages, error) !== undefined
  const children = (
    <>
      <Icon name="alert" />
      <span className="cs-note-text">
        <span className="cs-hidden">{words.warning}: </span>
        {known && <strong className="cs-strong">{title} · </strong>}
        <bdi>{capMarks(text)}</bdi> <code className="cs-code-id">{capMarks(error.agentCode ?? error.code)}</code>
      </span>
      {onDismiss && <IconButton icon="x" size={14} label={words.dismiss} onClick={onDismiss} />}
    </>
  )
  return (
    <Root
      tag="div"
      render={render}
      root={{ role: 'note', ...rest, className: classNames('cs-part cs-note', className), 'data-tone': 'warning', 'data-code': error.code, children }}
      state={{ error }}
      rootRef={ref}
    />
  )
}))
