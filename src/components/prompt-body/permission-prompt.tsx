'use client'
import type { ReactNode } from 'react'
import { forwardRef, useId, useState } from 'react'
import type { PromptOption } from '../../seam/prompt.ts'
import { Icon } from '../internals/icon.tsx'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import type { PromptStrings } from '../../strings/prompts.ts'
import { type DecisionProps, DecisionRoot, useDecision } from './decision.tsx'
import { grantTime, timeOf } from '../../strings/prompts.ts'
import { GrantStep, GrantText } from './grant-step.tsx'
import { OptionButtons, optionNames, numberTwins } from './option-buttons.tsx'
import { SubjectTable } from '../literal-value.tsx'

export interface PermissionPromptProps extends DecisionProps {}

/** The shortest times are offered; nobody chooses from more. */
const MOST_TIMES = 60

/**
 * Renders a `<div>`: what the agent wants to be allowed, literally, for how long it is allowed, and a button for each answer. Of several
 * times the shortest is chosen at first. One without an end shows what it grants once more before it can be taken.
 *
 * @example
 * ```tsx
 * import { usePrompt } from 'capstan/react'
 * import { PermissionPrompt } from 'capstan/components'
 *
 * export function Permission({ id }: { id: string }) {
 *   const controls = usePrompt(id)
 *   return controls && <PermissionPrompt controls={controls} isReady isSending={false} decline={null} />
 * }
 * ```
 */
export const PermissionPrompt = forwardRef<HTMLDivElement, PermissionPromptProps>(
  function PermissionPrompt(props, ref): ReactNode {
    const { controls, decline } = props
    const strings = usePromptStrings()
    const decision = useDecision(props)
    const [chosenId, setChosenId] = useState<string>()
    const grantId = useId()
    const { subject, options = [] } = controls.prompt
    const allowing = options
      .filter(isAllowing)
      .toSorted((left, right) => lengthOf(left) - lengthOf(right))
      .slice(0, MOST_TIMES)
    const chosen = allowing.find(({ id }) => id === chosenId) ?? allowing[0]
    const times = timeNames(allowing, strings)
    return (
      <DecisionRoot {...props} ref={ref}>
        {subject && (
          <SubjectTable
            subject={subject}
            label={strings.permission.permission}
            keys={{ '': strings.permission.resource, resource: strings.permission.resource }}
          />
        )}
        {decision.asked ? (
          <GrantStep option={decision.asked} decision={decision} isSaid={subject !== undefined} />
        ) : (
          <>
            {chosen && <GrantText id={grantId} option={chosen} isSaid={subject !== undefined} />}
            <OptionButtons
              options={options.filter((option) => !isAllowing(option))}
              onTake={decision.take}
              end={
                chosen && (
                  <button
                    type="button"
                    className="cs-button"
                    data-kind="primary"
                    aria-describedby={grantId}
                    onClick={() => (needsStep(chosen) ? decision.take(chosen) : decision.choose(chosen))}
                  >
                    {needsStep(chosen) ? `${strings.permission.allow}…` : strings.permission.allow}
                  </button>
                )
              }
            >
              {chosen && allowing.length > 1 && (
                <span className="cs-select">
                  <select
                    className="cs-select-box"
                    aria-label={strings.permission.duration}
                    value={chosen.id}
                    onChange={(event) => setChosenId(event.target.value)}
                  >
                    {allowing.map(({ id }, index) => (
                      <option key={id} value={id}>
                        {times[index]}
                      </option>
                    ))}
                  </select>
                  <Icon name="chevron" size={14} />
                </span>
              )}
              {decline}
            </OptionButtons>
          </>
        )}
      </DecisionRoot>
    )
  },
)

function isAllowing({ kind }: PromptOption): boolean {
  return kind === 'allow-once' || kind === 'allow-always'
}

/** What it grants is above the button already; only what has no end is asked for again. */
function needsStep(option: PromptOption): boolean {
  return option.kind === 'allow-always' && typeof timeOf(option) !== 'number'
}

/** From this one time to without an end, or without one that the agent says. */
function lengthOf(option: PromptOption): number {
  const time = timeOf(option)
  return time ?? (time === null || needsStep(option) ? Infinity : 0)
}

/** What is written on each time, no two the same. */
function timeNames(options: readonly PromptOption[], strings: PromptStrings): readonly string[] {
  const words = options.map((option) => {
    const word = grantTime(option, strings)
    // Elsewhere it is part of a sentence, here it is alone.
    return `${word.charAt(0).toLocaleUpperCase()}${word.slice(1)}`
  })
  const places = numberTwins(words)
  const labels = optionNames(options, strings.approval)
  const names = words.map((name, index) => {
    const { label = '' } = labels[index] ?? {}
    return places[index] === undefined || label === '' ? name : `${name} · ${label}`
  })
  return numberTwins(names).map((place, index) => `${names[index]}${place === undefined ? '' : ` (${place})`}`)
}
