import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { type IconName, type IconProps, Icon } from './icon.tsx'
import { classNames, type AttributesOf, type PartAttributes } from './part.ts'

interface StatusGlyphProps {
  readonly name: IconName | undefined
  readonly size?: IconProps['size'] | undefined
  /** What is drawn where there is no name. */
  readonly children?: ReactNode
}

/** The glyph of a state. That of something under way turns. */
export function StatusGlyph({ name, size = 16, children }: StatusGlyphProps): ReactNode {
  return (
    <Icon name={name} size={size} className={name === 'spin' ? 'cs-spin' : undefined}>
      {children}
    </Icon>
  )
}

interface StatusMarkProps extends ComponentPropsWithoutRef<'span'> {
  readonly tag?: 'span' | 'p'
  readonly icon: IconName
  readonly size?: IconProps['size'] | undefined
}

/** A state as a glyph and words, never a colour alone. */
export function StatusMark({ tag: Tag = 'span', icon, size, children, ...rest }: StatusMarkProps): ReactNode {
  return (
    <Tag {...rest}>
      <StatusGlyph name={icon} size={size} />
      <span>{children}</span>
    </Tag>
  )
}

type Attributes = AttributesOf<typeof messageStatusRowAttributes>

export interface MessageStatusRowProps extends ComponentPropsWithoutRef<'div'> {
  readonly icon: IconName
  readonly tone?: 'plain' | 'caution' | 'error' | undefined
}

/** Status row of a message, with the next step in it. */
export function MessageStatusRow({
  icon,
  tone = 'plain',
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
      <StatusGlyph name={icon} />
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
