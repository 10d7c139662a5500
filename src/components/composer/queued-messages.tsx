'use client'
import type { ReactNode } from 'react'
import { memo } from 'react'
import { useChatContext } from '../../react/chat-context.ts'
import { useChatSelector } from '../../react/use-chat-selector.ts'
import type { ChatInstance } from '../../state/chat.ts'
import { undecidedPrompts } from '../../state/conversation/prompts.ts'
import type { OutgoingMessage } from '../../state/conversation/message.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Icon } from '../internals/icon.tsx'
import { IconButton } from '../internals/icon-button.tsx'
import type { Draft } from './draft.ts'

/** A message as one line of text. */
function summaryOf({ text, files = [] }: OutgoingMessage): string {
  return text || files.map((file) => (typeof file === 'string' ? file : (file.name ?? file.id))).join(', ')
}

/** Takes back every question that waits for the user, so that what is queued can go out when the agent has ended. */
function cancelPrompts(chat: ChatInstance): void {
  for (const { prompt } of undecidedPrompts(chat.getSnapshot().messages))
    if (prompt.state !== 'sending') void chat.answer(prompt.id, { type: 'cancel' })
}

/** What waits for the answer to end. After a failure or a stop it waits for the user: nothing goes out by itself then. */
export const QueuedMessages = memo(function QueuedMessages({
  draft,
  running,
}: {
  readonly draft: Draft
  readonly running: boolean
}): ReactNode {
  const strings = useDictionary().composer
  const chat = useChatContext()
  const queued = useChatSelector((snapshot) => snapshot.queued)
  const isAwaited = useChatSelector(({ status }) => status === 'awaiting-input')
  if (queued.length === 0) return null
  const toBox = (): void => draft.edit('')
  return (
    <ul className="cs-queue" aria-label={strings.queue}>
      {queued.map(({ id, message }) => {
        const summary = summaryOf(message)
        return (
          <li key={id} className="cs-queued">
            <Icon name="clock" />
            <span className="cs-clip cs-grow" dir="auto">
              {summary}
            </span>
            {isAwaited ? (
              <span className="cs-meta">{strings.awaiting}</span>
            ) : running ? (
              <span className="cs-meta">{strings.queued}</span>
            ) : (
              <button
                type="button"
                className="cs-button"
                data-kind="link"
                onClick={() => {
                  const taken = chat.discard(id)
                  toBox()
                  if (!taken) return
                  const takeBack = (): void => draft.edit(taken)
                  chat
                    .sendMessage(taken, { whenBusy: 'queue' })
                    .then(({ status }) => (status === 'refused' ? takeBack() : undefined), takeBack)
                }}
              >
                {strings.sendNow}
              </button>
            )}
            <IconButton icon="edit" label={strings.take(summary)} onClick={() => draft.edit(chat.discard(id) ?? '')} />
            <IconButton
              icon="x"
              label={strings.remove(summary)}
              onClick={() => {
                chat.discard(id)
                toBox()
              }}
            />
          </li>
        )
      })}
      {isAwaited && (
        <li className="cs-queued">
          <button type="button" className="cs-button" data-kind="link" onClick={() => cancelPrompts(chat)}>
            {strings.cancelAndSend}
          </button>
        </li>
      )}
    </ul>
  )
})
