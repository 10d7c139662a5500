import type { MouseEvent } from 'react'

/** The newest message, last in the last turn. */
const LAST = '.cs-turn:last-child > .cs-row:last-child > .cs-message'

/** Moves the focus to a message, for whoever uses the keyboard: it is no stop of Tab. */
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
