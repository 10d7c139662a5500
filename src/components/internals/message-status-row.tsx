import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'
import { classNames } from './part.ts'

export interface MessageStatusRowProps extends ComponentPropsWithoutRef<'div'> {
  readonly icon: IconName
  readonly tone?: 'plain' | 'caution' | 'error' | undefined
  readonly busy?: boolean | undefined
}

/** One line that says how a message stands, with the next step in it. */
export function MessageStatusRow({ icon, tone = 'plain', busy, className, children, ...rest }: MessageStatusRowProps): ReactNode {
  return (
    <div {...rest} data-tone={tone} className={classNames('cs-endline', className)}>
      <Icon name={icon} className={busy ? 'cs-spin' : undefined} />
      <div className="cs-endline-words">{children}</div>
    </div>
  )
}

/** The dot between two things on one line. */
export function Dot(): ReactNode {
  return (
    <span className="cs-separator" aria-hidden="true">
      ·
    </span>
  )
}
