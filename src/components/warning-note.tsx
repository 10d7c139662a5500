'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, memo } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import type { AgentError } from '../base/agent-error.ts'
import { messageCodeOf, describeError, findByCode, ErrorDetails } from './error-details.tsx'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { Icon } from './internals/icon.tsx'
import { IconButton } from './internals/buttons.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'

/** The `data-*` attributes of `WarningNote`. */
export const warningNoteAttributes = {
  root: {
    selector: '.cs-note',
    attributes: {
      'data-tone': { values: ['warning'], meaning: 'Always this' },
      'data-code': { values: 'any', meaning: 'The [code of the error](errors.md)' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof warningNoteAttributes>

export interface WarningNoteProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** An error of severity WARNING. The dictionary's text for its code is shown, else the agent's own sentence as plain text. The code is in its details. */
  readonly error: AgentError
  /** Adds a button that puts the note away. Absent: no button. */
  readonly onDismiss?: (() => void) | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly error: AgentError }> | undefined
}

/**
 * Renders a `<div>`: a WARNING under the part it concerns, while the stream continues.
 *
 * @example
 * ```tsx
 * import type { AgentError } from 'capstan'
 * import { WarningNote } from 'capstan/components'
 *
 * export const Warning = ({ error }: { error: AgentError }) => <WarningNote error={error} onDismiss={() => {}} />
 * ```
 */
export const WarningNote = memo(
  forwardRef<HTMLDivElement, WarningNoteProps>(function WarningNote(
    { error, onDismiss, render, className, ...rest },
    ref,
  ): ReactNode {
    const dictionary = useDictionary()
    const strings = dictionary.error
    const { title, text } = describeError(error, dictionary)
    // For a code without an entry in the dictionary, the headline would only say that there is a problem.
    const known =
      messageCodeOf(error) !== 'agent_error' || findByCode(dictionary.agentErrorMessages, error) !== undefined
    const children = (
      <>
        <Icon name="alert" />
        <div className="cs-note-text">
          <span className="cs-hidden">{`${strings.warning}: `}</span>
          {known && <strong className="cs-strong">{`${title} · `}</strong>}
          <bdi>{capMarks(text)}</bdi>
          <ErrorDetails facts={[error.agentCode ?? error.code]} />
        </div>
        {onDismiss && <IconButton icon="x" size={14} label={strings.dismiss} onClick={onDismiss} />}
      </>
    )
    return (
      <Root
        tag="div"
        render={render}
        root={{
          role: 'note',
          ...rest,
          className: classNames('cs-part cs-note', className),
          'data-tone': 'warning' satisfies Attributes['data-tone'],
          'data-code': error.code satisfies Attributes['data-code'],
          children,
        }}
        state={{ error }}
        rootRef={ref}
      />
    )
  }),
)
