'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import type { Prompt, PromptAnswer, PromptOption } from '../seam/prompt.ts'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import { type IconName, Icon } from './internals/icon.tsx'
import { shorten } from './error-details.tsx'
import { PromptStringsProvider, usePromptStrings } from './dictionary/prompt-strings-context.tsx'
import { type PromptStrings, timeOf, type PromptTraceStrings } from '../strings/prompts.ts'

/** Longest name of an option or a tool in the row, in UTF-16 code units. */
const LONGEST_NAME = 80

/** What became of a prompt, as one phrase. */
export function traceOf(prompt: Prompt, strings: PromptTraceStrings): string {
  if (prompt.state === 'open') return strings.open
  if (prompt.state !== 'answered') return strings.states[prompt.state]
  return prompt.answer === undefined ? strings.answered : answerOf(prompt, prompt.answer, strings)
}

function answerOf(prompt: Prompt, answer: PromptAnswer, strings: PromptTraceStrings): string {
  switch (answer.type) {
    case 'option':
      return optionOf(prompt, answer, strings)
    case 'value':
      return strings.submitted
    case 'done':
      return strings.signedIn
    case 'decline':
      return strings.states.declined
    case 'cancel':
      return strings.states.cancelled
  }
}

function optionOf(
  { subject, options }: Prompt,
  { optionId, edits }: Extract<PromptAnswer, { readonly type: 'option' }>,
  strings: PromptTraceStrings,
): string {
  const option = options?.find(({ id }) => id === optionId)
  if (option === undefined) return strings.answered
  const words = wordsOf(option, shortName(option.label), subject && shortName(subject.name), strings)
  return edits === undefined ? words : `${words} (${strings.edited})`
}

function wordsOf(option: PromptOption, label: string, name: string | undefined, strings: PromptTraceStrings): string {
  const { kind } = option
  if (name === undefined || kind === 'neutral') return strings.chosen(label)
  if (kind !== 'allow-once' && kind !== 'allow-always') return strings.rejected(name)
  const time = timeOf(option)
  if (time === null) return strings.allowed(name)
  if (time !== undefined) return strings.allowedFor(name, time)
  return kind === 'allow-once' ? strings.allowedOnce(name) : strings.allowedAlways(name)
}

function shortName(name: string): string {
  return capMarks(shorten(name, LONGEST_NAME))
}

/** The `data-*` attributes of `PromptTrace`. */
export const promptTraceAttributes = {
  root: {
    selector: '.cs-prompt-trace',
    attributes: {
      'data-state': {
        values: [
          'open',
          'staged',
          'sending',
          'unconfirmed',
          'answered',
          'declined',
          'cancelled',
          'expired',
          'answered-elsewhere',
          'withdrawn',
        ],
        meaning: 'What became of the prompt',
      },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof promptTraceAttributes>

export interface PromptTraceProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The prompt to show, with its outcome. */
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
 * import { PromptTrace } from 'capstan/components'
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
