'use client'
import type { KeyboardEvent, ReactNode } from 'react'
import { useChatContext } from '../../react/chat-context.ts'
import type { SendResult } from '../../state/chat-options.ts'
import type { ChatMessage } from '../../state/turn.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { ComposerBox } from './composer-box.tsx'
import type { Draft, MessageDraft } from './draft.ts'
import { isComposing } from './is-composing.ts'

interface MessageEditorProps {
  readonly message: ChatMessage
  readonly editor: MessageDraft
  /** Where the editor is kept, and where the keyboard continues when it closes. */
  readonly draft: Draft
}

/** A sent message, open for another version. Sending it replaces all that followed; Escape leaves it as it was. */
export function MessageEditor({ message: { id, metadata }, editor, draft }: MessageEditorProps): ReactNode {
  const strings = useDictionary().composer
  const chat = useChatContext()
  const close = (): void => {
    if (editor.fromComposer) draft.edit('')
    draft.setEditor(id)
  }
  const send = (): void => {
    const sent = editor.draft.send({
      async sendMessage(message) {
        let result: SendResult | undefined
        try {
          result = await chat.edit(id, { ...(typeof message === 'string' ? { text: message } : message), metadata })
          return result
        } finally {
          // Refused, or thrown by a chat of the app's own.
          if (result?.status !== 'accepted') draft.setEditor(id, editor)
        }
      },
    })
    if (!sent) return
    draft.setEditor(id)
    draft.edit('')
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isComposing(event)) return
    // Marks Escape as handled, so that it does not stop a running answer.
    event.preventDefault()
    close()
  }
  return (
    <ComposerBox
      draft={editor.draft}
      className="cs-editor"
      aria-label={strings.editLabel}
      onSend={send}
      onKeyDown={press}
      end={
        <button type="button" className="cs-button" onClick={close}>
          {strings.cancel}
        </button>
      }
    />
  )
}
