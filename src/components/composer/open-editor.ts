import { type ChatMessage, textOf } from '../../state/turn.ts'
import { onDemand } from '../on-demand.ts'
import type { Draft } from './draft.ts'
import { createDraft } from './draft.ts'

/** The editor of a sent message, which most pages never open. */
export const messageEditor = onDemand(() => import('./message-editor.tsx'))

/** Begins to edit a sent message, or continues where that was begun. */
export function openEditor(draft: Draft, message: ChatMessage, fromComposer: boolean): void {
  const begun = draft.getSnapshot().editors.get(message.id)
  if (begun) begun.draft.edit('')
  else
    draft.setEditor(message.id, {
      draft: createDraft({ text: textOf(message), files: message.files }, true),
      fromComposer,
    })
}
