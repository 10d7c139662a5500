import type { ReactNode } from 'react'

/**
 * Puts a string into an element of its own; anything else is unchanged. Browser translation, highlighters and extensions replace,
 * split and wrap text nodes. Into a text node with siblings React keeps writing after it has left the page, and fails to remove it.
 * A string that is the only child of an element it writes into that element, whatever is in there.
 */
export function liveText(shown: ReactNode): ReactNode {
  return typeof shown === 'string' ? shown !== '' && <span>{shown}</span> : shown
}
