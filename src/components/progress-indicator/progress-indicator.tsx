'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { memo } from 'react'
import type { ProgressStatus } from '../../protocols/agent-event.ts'
import type { Dictionary } from '../dictionary.ts'
import { useDictionary } from '../dictionary-context.tsx'
import type { IconName } from '../icon/icon.tsx'
import { Icon } from '../icon/icon.tsx'
import { classNames } from '../part.ts'

/** One step of an agent's work. */
export interface ProgressStep {
  readonly id: string
  readonly label: string
  readonly status: ProgressStatus
  /** 0 to 1; absent while running: no share is known. */
  readonly fraction?: number | undefined
  readonly detail?: string | undefined
}

export interface ProgressIndicatorProps extends Omit<ComponentPropsWithoutRef<'ul'>, 'children'> {
  readonly steps: readonly ProgressStep[]
  /** False when the answer has ended: a step that never finished is then shown still. Default true. */
  readonly live?: boolean | undefined
}

const ICONS: Readonly<Record<ProgressStatus, IconName>> = { pending: 'pending', running: 'spin', complete: 'check', failed: 'alert' }

/** Steps as rows of one height in every state, updated in place. Each row carries `data-state`. */
export function ProgressIndicator({ steps, live = true, className, ...rest }: ProgressIndicatorProps): ReactNode {
  const words = useDictionary().progress
  return (
    // `list-style: none` takes the list role away in Safari; saying it keeps it.
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles
    <ul role="list" aria-label={words.label} {...rest} className={classNames('cs-part cs-steps', className)}>
      {steps.map((step) => (
        <StepRow key={step.id} step={step} live={live} />
      ))}
    </ul>
  )
}

/** A share outside 0 to 1 is the agent's mistake; the bar stays in its row. */
function shareOf({ fraction, status }: ProgressStep): number | undefined {
  if (fraction === undefined || Number.isNaN(fraction)) return status === 'failed' || status === 'pending' ? 0 : undefined
  return Math.min(1, Math.max(0, fraction))
}

function valueOf(step: ProgressStep, share: number | undefined, words: Dictionary['progress']): string {
  if (step.status === 'failed') return words.failed
  if (step.status === 'running' && share !== undefined) return words.share(share)
  return step.status === 'complete' ? (step.detail ?? '') : ''
}

const StepRow = memo(function StepRow({ step, live }: { readonly step: ProgressStep; readonly live: boolean }): ReactNode {
  const words = useDictionary().progress
  const share = shareOf(step)
  const moving = live && step.status === 'running'
  const value = valueOf(step, share, words)
  const detail = step.status === 'complete' ? undefined : step.detail
  return (
    <li className="cs-step" data-state={step.status} data-moving={moving ? '' : undefined}>
      <Icon name={ICONS[step.status]} className={moving ? 'cs-spin' : undefined} />
      <span className="cs-step-label">
        <bdi>{step.label}</bdi>
        {detail && (
          <>
            {' '}
            <bdi className="cs-step-detail">{detail}</bdi>
          </>
        )}
      </span>
      <span className="cs-step-value">
        {value ? <bdi>{value}</bdi> : <span className="cs-hidden">{words[step.status]}</span>}
      </span>
      {step.status !== 'complete' && step.status !== 'pending' && (moving || share !== undefined) && (
        <progress className="cs-step-bar" max={1} value={share} aria-label={step.label} />
      )}
    </li>
  )
})
