import type { ReactNode } from 'react'
import type { MessagePart } from '../../state/message.ts'

/**
 * Shows a part of a message in your own way, or returns undefined to leave it to the kit. Asked for
 * text and for each part that stands alone (markdown, media, artifact, data, notice, tool-call,
 * warning, unknown); thoughts, progress and citations are grouped by the kit. Keep the function
 * stable: parts re-render when it changes. It is a function and no map of components, so that what a
 * part holds can decide as well as its kind: `part.type` narrows the rest, and undefined falls through.
 */
export type RenderPart = (part: MessagePart, state: { readonly live: boolean }) => ReactNode | undefined
