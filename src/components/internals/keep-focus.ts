import type { MouseEvent } from 'react'

/**
 * A button that disappears when it is used takes the keyboard's place with it. This hands the focus
 * to the transcript around it, without scrolling.
 */
export function keepFocus(event: MouseEvent<HTMLElement>): void {
  const view = event.currentTarget.closest<HTMLElement>('.cs-list-view')
  view?.focus({ preventScroll: true })
}
