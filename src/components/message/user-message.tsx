'use client'
import type { ReactNode } from 'react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { isUnfocused } from '../../base/dom/node-page.ts'
import { useChatContext } from '../../react/chat-context.ts'
import type { ChatMessage } from '../../state/conversation/message.ts'
import { textOf } from '../../state/conversation/message.ts'
import { AttachmentChip } from '../composer/attachment-chip.tsx'
import type { MessageDraft } from '../composer/draft.ts'
import { useDraft } from '../composer/draft-context.ts'
import { messageEditor } from '../composer/open-editor.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { useOnDemand } from '../on-demand/on-demand.ts'
import { Dot, MessageStatusRow } from '../internals/message-status-row.tsx'
import { groupParts } from './group-parts.ts'
import { MessageActions } from './message-actions.tsx'
import type { RenderPart } from './render-part.ts'
import { SinglePart } from './single-part.tsx'
import { StepButton } from '../internals/step-button.tsx'

interface UserMessageProps {
  readonly message: ChatMessage
  readonly renderPart: RenderPart | undefined
  readonly messageActions: ReactNode
}

/**
 * What the user said, in a bubble, with its files above. It can be opened for another version. One that was not sent keeps its
 * text and says so; one that may have arrived is sent again only as the user decides, because the agent may do its work twice.
 */
export function UserMessage({ message, renderPart, messageActions }: UserMessageProps): ReactNode {
  const { message: strings, composer } = useDictionary()
  const chat = useChatContext()
  const draft = useDraft()
  const editorOf = (): MessageDraft | undefined => draft.getSnapshot().editors.get(message.id)
  const editor = useSyncExternalStore(draft.subscribe, editorOf, editorOf)

  const code = useOnDemand(messageEditor, editor !== undefined)
  const edit = useRef<HTMLButtonElement>(null)
  const edited = useRef(false)
  useEffect(() => {
    // The editor has taken the focus with it, unless it handed it on.
    if (!editor && edited.current && edit.current && isUnfocused(edit.current)) edit.current.focus()
    edited.current = editor !== undefined
  }, [editor])
  if (editor && code) return <code.MessageEditor message={message} editor={editor} draft={draft} />

  const text = textOf(message)
  const others = groupParts(message.parts).filter((group) => group.type === 'single')
  return (
    <>
      {message.files && message.files.length > 0 && (
        <ul className="cs-files" aria-label={composer.attachments}>
          {message.files.map((file, index) => {
            const { name, id, ...facts } = typeof file === 'string' ? { id: file } : file
            return <AttachmentChip {...facts} key={id ?? index} name={name ?? id ?? ''} />
          })}
        </ul>
      )}
      {others.map((group) => (
        <SinglePart key={group.id} part={group.part} messageId={message.id} live={false} renderPart={renderPart} />
      ))}
      {text !== '' && (
        <div className="cs-bubble cs-text" dir="auto">
          {capMarks(text)}
        </div>
      )}
      {message.status === 'not-sent' && message.error?.code === 'delivery_unknown' ? (
        <MessageStatusRow icon="cut" tone="caution">
          <b className="cs-strong">{strings.mayHaveArrived}</b>
          <StepButton onPress={() => chat.retry(message.id)}>{strings.sendAgain}</StepButton>
          <Dot />
          <StepButton onPress={() => chat.discard(message.id)}>{strings.discard}</StepButton>
        </MessageStatusRow>
      ) : message.status === 'not-sent' ? (
        <MessageStatusRow icon="fatal" tone="error">
          <b className="cs-strong">{strings.notSent}</b>
          <StepButton onPress={() => chat.retry(message.id)}>{strings.retry}</StepButton>
          <Dot />
          <StepButton onPress={() => draft.edit(chat.discard(message.id) ?? '')}>{strings.edit}</StepButton>
          <Dot />
          <StepButton onPress={() => chat.discard(message.id)}>{strings.discard}</StepButton>
        </MessageStatusRow>
      ) : message.status === 'sending' ? (
        <p className="cs-sending cs-meta">{strings.sending}</p>
      ) : (
        <MessageActions message={message} messageActions={messageActions} editRef={edit} />
      )}
    </>
  )
}
