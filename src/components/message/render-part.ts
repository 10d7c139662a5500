import type { ReactNode } from 'react'
import type { MessagePart } from '../../state/message.ts'

/**
 * Shows a part of a message in your own way, or returns undefined to leave it to capstan; null shows nothing. Asked for
 * every kind of part, more than once. Thoughts and steps that you leave stay together in one fold and one card, behind
 * those you show. Showing a citations part replaces the list of sources; the marks in the text stay. Keep the function
 * stable: parts re-render when it changes. It is a function and no map of components, so that what a part holds can
 * decide as well as its kind: `part.type` narrows the rest.
 */
export type RenderPart = (part: MessagePart, state: { readonly live: boolean }) => ReactNode | undefined
