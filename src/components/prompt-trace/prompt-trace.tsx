'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { Prompt } from '../../seam/prompt.ts'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { IconName } from '../internals/icon.tsx'
import { shorten } from '../error-details/describe-error.ts'
import { Icon } from '../internals/icon.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import { PromptStringsProvider, usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import type { PromptStrings } from '../../strings/prompts.ts'
import type { promptTraceAttributes } from './prompt-trace-attributes.ts'
import { traceOf } from './trace-of.ts'

type Attributes = AttributesOf<typeof promptTraceAttributes>

export interface PromptTraceProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  readonly prompt: Prompt
  /** Words in another language. @default those of the dictionary's language */
  readonly strings?: PromptStrings | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly state: Prompt['state'] }> | undefined
}

const ICONS: Readonly<Record<Prompt['state'], IconName>> = {
  open: 'clock',
  staged: 'clock',
  sending: 'pending',
  unconfirmed: 'alert',
  answered: 'check',
  declined: 'x',
  cancelled: 'x',
  expired: 'clock',
  'answered-elsewhere': 'check',
  withdrawn: 'x',
}

/**
 * Renders a `<div>`: one prompt in the transcript, as a row that says what was asked and what became of it. It has no controls: a
 * prompt is answered in a `PromptCard` only. The transcript of `<Chat>` shows it.
 *
 * @example
 * ```tsx
 * import type { Prompt } from 'capstan'
 * import { PromptTrace } from 'capstan/prompts'
 *
 * export const Trace = ({ prompt }: { prompt: Prompt }) => <PromptTrace prompt={prompt} />
 * ```
 */
export const PromptTrace = forwardRef<HTMLDivElement, PromptTraceProps>(function PromptTrace(
  { prompt, strings, render, className, ...rest },
  ref,
): ReactNode {
  const children = (
    <>
      <Icon name={ICONS[prompt.state]} />
      <div className="cs-prompt-trace-words">
        <blockquote className="cs-prompt-trace-quote">
          <p className="cs-prompt-trace-question" dir="auto">
            {capMarks(shorten(prompt.message.trim() || (prompt.subject?.name ?? ''), 200))}
          </p>
        </blockquote>
        <PromptStringsProvider strings={strings}>
          <Outcome prompt={prompt} />
        </PromptStringsProvider>
      </div>
    </>
  )
  return (
    <Root
      tag="div"
      render={render}
      root={{
        ...rest,
        'data-state': prompt.state satisfies Attributes['data-state'],
        className: classNames('cs-part cs-prompt-trace', className),
        children,
      }}
      state={{ state: prompt.state }}
      rootRef={ref}
    />
  )
})

function Outcome({ prompt }: { readonly prompt: Prompt }): ReactNode {
  return <p className="cs-prompt-trace-outcome">{traceOf(prompt, usePromptStrings().trace)}</p>
}
