import type { MouseEvent } from 'react'

/**
 * Moves the focus to the transcript around a button that disappears when it is used, without scrolling. Otherwise the
 * focus would be lost.
 */
export function keepFocus(event: MouseEvent<HTMLElement>): void {
  const view = event.currentTarget.closest<HTMLElement>('.cs-list-view')
  view?.focus({ preventScroll: true })
}
