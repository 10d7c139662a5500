import type { ComponentPropsWithoutRef } from 'react'

/** Props of an action that is one button. */
export interface MessageActionProps extends Omit<ComponentPropsWithoutRef<'button'>, 'children' | 'onClick'> {
  // What it does and what it is called are its own.
}
