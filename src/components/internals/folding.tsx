'use client'

import type { MouseEvent, ReactNode } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { capMarks } from '../../base/cap-marks.ts'
import { type IconName, Icon } from './icon.tsx'

/** How many things a long list shows at first, and how many more at a time: a browser lays them out in a few milliseconds. */
export const SHOWN_AT_FIRST = 60

const STEP = 20

/**
 * How many things at the start of a list that grows at its end are left out, so that about `limit` of them are shown. It
 * changes in steps of 20: one more thing at the end seldom moves the others.
 */
export function leftOut(total: number, limit: number): number {
  return Math.max(0, Math.floor((total - limit) / STEP) * STEP)
}

interface ShowMoreProps {
  /** How many are not shown. */
  readonly left: number
  readonly onShow: (event: MouseEvent<HTMLElement>) => void
}

/** Says how many things are not shown, with a button that shows more of them. */
export function ShowMore({ left, onShow }: ShowMoreProps): ReactNode {
  const strings = useDictionary().data
  return (
    <p className="cs-meta">
      <span>{`${strings.more(left)} `}</span>
      <button type="button" className="cs-button" data-kind="link" onClick={onShow}>
        {strings.showMore}
      </button>
    </p>
  )
}

interface FoldSummaryProps {
  readonly label: string
  readonly icon?: IconName | false | undefined
  /** It continues: the label shimmers. */
  readonly moving?: boolean | undefined
  /** Milliseconds, for eyes only: a figure that changes would be read again and again. */
  readonly took?: number | false | undefined
  readonly onClick?: (() => void) | undefined
}

/** The summary row of a fold: label, time, and the chevron after them. */
export function FoldSummary({ label, icon, moving, took, onClick }: FoldSummaryProps): ReactNode {
  const strings = useDictionary().thought
  return (
    <summary className="cs-fold-summary" onClick={onClick}>
      {icon && <Icon name={icon} />}
      <bdi className={moving ? 'cs-shimmer' : undefined}>{capMarks(label)}</bdi>
      {typeof took === 'number' && (
        <bdi className="cs-dim cs-figures" aria-hidden="true">
          {strings.elapsed(took)}
        </bdi>
      )}
      <Icon name="chevron" size={14} className="cs-chevron" />
    </summary>
  )
}
