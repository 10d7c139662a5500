'use client'
import type { ReactNode } from 'react'
import { useContext } from 'react'
import { useChat } from '../../hooks/chat-context.ts'
import type { Message } from '../../state/message.ts'
import { textOf } from '../../state/message.ts'
import { DraftContext } from '../composer/draft-context.ts'
import { useDictionary } from '../dictionary-context.tsx'
import { Dot, EndLine } from './end-line.tsx'
import { groupParts } from './group-parts.ts'
import { keepFocus } from './keep-focus.ts'
import { MessageActions } from './message-actions.tsx'
import type { RenderPart } from './render-part.ts'
import { SinglePart } from './single-part.tsx'

interface UserMessageProps {
  readonly message: Message
  readonly renderPart: RenderPart | undefined
}

/** What the person said, in a bubble. A message that did not go out keeps its words and says so. */
export function UserMessage({ message, renderPart }: UserMessageProps): ReactNode {
  const words = useDictionary().message
  const chat = useChat()
  const draft = useContext(DraftContext)
  const text = textOf(message)
  const others = groupParts(message.parts).filter((group) => group.type === 'single')
  return (
    <>
      {others.map((group) => (
        <SinglePart key={group.id} part={group.part} messageId={message.id} live={false} renderPart={renderPart} />
      ))}
      {text !== '' && (
        <div className="cs-bubble cs-text" dir="auto">
          {text}
        </div>
      )}
      {message.status === 'not-sent' ? (
        <EndLine icon="fatal" tone="error">
          <b className="cs-strong">{words.notSent}</b>
          <button
            type="button"
            className="cs-button"
            data-kind="link"
            onClick={(event) => {
              keepFocus(event)
              chat.retry(message.id).catch(() => {})
            }}
          >
            {words.retry}
          </button>
          {draft && (
            <>
              <Dot />
              <button type="button" className="cs-button" data-kind="link" onClick={() => draft.edit(chat.discard(message.id)?.text ?? '')}>
                {words.edit}
              </button>
            </>
          )}
          <Dot />
          <button
            type="button"
            className="cs-button"
            data-kind="link"
            onClick={(event) => {
              keepFocus(event)
              chat.discard(message.id)
            }}
          >
            {words.discard}
          </button>
        </EndLine>
      ) : message.status === 'sending' ? (
        <p className="cs-sending cs-meta">{words.sending}</p>
      ) : (
        <MessageActions message={message} />
      )}
    </>
  )
}
