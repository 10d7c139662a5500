'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, memo } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { JsonView } from './data-block.tsx'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { Icon } from './internals/icon.tsx'
import type { RenderRoot } from './internals/part.ts'
import { classNames, Root } from './internals/part.ts'

export interface UnknownEventProps extends Omit<ComponentPropsWithoutRef<'details'>, 'children'> {
  /** The type the agent gave it, shown as it is. */
  readonly name: string
  /** All of the event, shown as JSON when opened. */
  readonly raw: unknown
  /**
   * Replaces the root `<details>`; receives the props to spread and the part's state.
   *
   * @default the part's root element
   */
  readonly render?: RenderRoot<{ readonly name: string }> | undefined
}

/**
 * Renders a `<details>`: an event the protocol allows and capstan has no component for, kept and folded, never fatal.
 *
 * @example
 * ```tsx
 * import { UnknownEvent } from 'capstan/components'
 *
 * export function Other() {
 *   return <UnknownEvent name="FLOW_DIAGRAM" raw={{ nodes: ['spring', 'sea'] }} />
 * }
 * ```
 */
export const UnknownEvent = memo(
  forwardRef<HTMLDetailsElement, UnknownEventProps>(function UnknownEvent(
    { name, raw, render, className, ...rest },
    ref,
  ): ReactNode {
    const strings = useDictionary().unknown
    const children = (
      <>
        <summary className="cs-unknown-summary">
          <Icon name="puzzle" />
          <span>{strings.title}</span>
          <code className="cs-code-id cs-clip">{capMarks(name)}</code>
          <span className="cs-grow" />
          <Icon name="chevron" size={14} className="cs-chevron" />
        </summary>
        <div className="cs-unknown-raw">
          <JsonView value={raw} />
        </div>
      </>
    )
    return (
      <Root
        tag="details"
        render={render}
        root={{ ...rest, className: classNames('cs-part cs-unknown', className), children }}
        state={{ name }}
        rootRef={ref}
      />
    )
  }),
)
