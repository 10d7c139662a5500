import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, type MouseEvent } from 'react'
import { type IconName, type IconProps, Icon } from './icon.tsx'
import { classNames, type AttributesOf, type PartAttributes } from './part.ts'

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

/** The `data-*` attributes of the buttons in the parts. */
export const buttonAttributes = {
  buttons: {
    selector: '.cs-button, .cs-icon-button',
    internal: true,
    attributes: {
      'data-kind': { values: ['primary', 'plain', 'link'], meaning: 'The visual weight of a button' },
      'data-size': { values: ['small'], meaning: 'A small one' },
      'data-outcome': { values: ['copied', 'failed'], meaning: 'What became of copying' },
    },
  },
} as const satisfies PartAttributes

interface StepButtonProps {
  /** Whatever goes wrong with what it promises shows in the snapshot. */
  readonly onPress: () => unknown
  readonly children: ReactNode
}

/** The next step at the end of a row, gone when it was used: the keyboard continues in the transcript. */
export function StepButton({ onPress, children }: StepButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="cs-button"
      data-kind="link"
      onClick={(event) => {
        keepFocus(event)
        Promise.resolve(onPress()).catch(() => {})
      }}
    >
      {children}
    </button>
  )
}

/** The newest message, last in the last turn. */
const LAST = '.cs-turn:last-child > .cs-row:last-child > .cs-message'

/** Moves the focus to a message, for keyboard users: it is not in the tab order. */
function focusMessage(message: HTMLElement): void {
  message.tabIndex = -1
  message.focus({ preventScroll: true })
}

/** Moves the focus to the newest message of a chat, or to its empty transcript, without scrolling. */
export function focusLastMessage(chat: Element | null | undefined): void {
  const message = chat?.querySelector<HTMLElement>(LAST)
  if (message) focusMessage(message)
  else chat?.querySelector<HTMLElement>('.cs-list-view')?.focus({ preventScroll: true })
}

/**
 * Moves the focus to the message around a button that disappears when it is used, without scrolling. Otherwise the focus
 * would be lost.
 */
export function keepFocus({ currentTarget }: MouseEvent<HTMLElement>): void {
  const message = currentTarget.closest<HTMLElement>('.cs-message')
  if (message) focusMessage(message)
}
