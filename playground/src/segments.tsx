import type { ReactNode } from 'react'
import type { GlyphName } from './glyph.tsx'
import { Glyph } from './glyph.tsx'

export interface Segment<Value extends string> {
  readonly value: Value
  readonly label: string
  /** Stands for the label where there is space for no word. */
  readonly glyph?: GlyphName | undefined
}

interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly segments: readonly Segment<Value>[]
  readonly value: Value
  readonly onChoose: (value: Value) => void
}

/** A few choices side by side, one of them active. */
export function Segments<Value extends string>({ label, segments, value, onChoose }: SegmentsProps<Value>): ReactNode {
  return (
    <div
      className="pg-seg"
      data-icons={segments.every(({ glyph }) => glyph !== undefined) ? '' : undefined}
      role="group"
      aria-label={label}
    >
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          className="pg-seg-item"
          aria-label={segment.glyph && segment.label}
          title={segment.glyph && segment.label}
          aria-pressed={segment.value === value}
          onClick={() => onChoose(segment.value)}
        >
          {segment.glyph ? <Glyph name={segment.glyph} /> : segment.label}
        </button>
      ))}
    </div>
  )
}
