import type { ComponentProps, ReactNode } from 'react'
import type { GlyphName } from './glyph.tsx'
import { Glyph } from './glyph.tsx'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly kind: 'primary' | 'plain'
  readonly size?: 'small'
}

/** A button of the frame. It has the classes of capstan's buttons, so that there is one look; this file alone names them. */
export function Button({ kind, size, type = 'button', ...rest }: ButtonProps): ReactNode {
  // The type is one of three whatever it is; the rule cannot see that.
  // oxlint-disable-next-line react/button-has-type
  return <button {...rest} type={type} className="cs-button pg-button" data-kind={kind} data-size={size} />
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children' | 'type'> {
  readonly glyph: GlyphName
  /** Said and shown as a hint. */
  readonly label: string
  readonly size?: 'small'
}

export function IconButton({ glyph, label, size, ...rest }: IconButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type="button"
      className="cs-icon-button pg-button"
      data-size={size}
      aria-label={label}
      title={label}
    >
      <Glyph name={glyph} size={size === 'small' ? 16 : 20} />
    </button>
  )
}
