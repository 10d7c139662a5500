import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { type IconName, Icon } from './icon.tsx'
import { classNames, type AttributesOf, type PartAttributes } from './part.ts'

type Attributes = AttributesOf<typeof messageStatusRowAttributes>

export interface MessageStatusRowProps extends ComponentPropsWithoutRef<'div'> {
  readonly icon: IconName
  readonly tone?: 'plain' | 'caution' | 'error' | undefined
  readonly busy?: boolean | undefined
}

/** Status row of a message, with the next step in it. */
export function MessageStatusRow({
  icon,
  tone = 'plain',
  busy,
  className,
  children,
  ...rest
}: MessageStatusRowProps): ReactNode {
  return (
    <div
      {...rest}
      data-tone={tone satisfies Attributes['data-tone']}
      className={classNames('cs-status-row', className)}
    >
      <Icon name={icon} className={busy ? 'cs-spin' : undefined} />
      <div className="cs-status-row-words">{children}</div>
    </div>
  )
}

/** The dot between two items of a row. */
export function Dot(): ReactNode {
  return (
    <span className="cs-separator" aria-hidden="true">
      ·
    </span>
  )
}

/** The `data-*` attributes of the row that shows the status of a message. */
export const messageStatusRowAttributes = {
  root: {
    selector: '.cs-status-row',
    internal: true,
    attributes: {
      'data-tone': { values: ['plain', 'caution', 'error'], meaning: 'How serious it is' },
    },
  },
} as const satisfies PartAttributes
