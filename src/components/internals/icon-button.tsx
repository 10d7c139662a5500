import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import type { IconName, IconProps } from './icon.tsx'
import { Icon } from './icon.tsx'
import { classNames } from './part.ts'
import type { AttributesOf } from './attributes/part-attributes.ts'
import type { buttonAttributes } from './attributes/button-attributes.ts'

type Attributes = AttributesOf<typeof buttonAttributes, 'buttons'>

interface IconButtonProps extends ComponentPropsWithoutRef<'button'> {
  readonly icon: IconName
  readonly label: string
  /** Pixels of the glyph; with 20 the button is a large one. */
  readonly size?: IconProps['size'] | undefined
}

/** A button of one glyph, named for everyone. */
export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(function IconButton(
  { icon, label, size = 16, className, ...rest },
  ref,
): ReactNode {
  return (
    <button
      ref={ref}
      type="button"
      className={classNames('cs-icon-button', className)}
      data-size={(size === 20 ? undefined : 'small') satisfies Attributes['data-size']}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} size={size} />
    </button>
  )
})
