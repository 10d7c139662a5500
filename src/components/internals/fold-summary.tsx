'use client'
import type { ReactNode } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'

interface FoldSummaryProps {
  readonly label: string
  readonly icon?: IconName | false | undefined
  /** It goes on: the label shimmers. */
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
