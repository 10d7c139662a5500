'use client'
import type { ReactNode } from 'react'
import { memo } from 'react'
import { useChatContext } from '../../hooks/chat-context.ts'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import type { OutgoingMessage } from '../../state/conversation/message.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Icon } from '../internals/icon.tsx'
import { IconButton } from '../internals/icon-button.tsx'
import type { Draft } from './draft.ts'

/** A message as one line of text. */
function summaryOf({ text, files = [] }: OutgoingMessage): string {
  return text || files.map((file) => (typeof file === 'string' ? file : (file.name ?? file.id))).join(', ')
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
            {running ? (
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
    </ul>
  )
})
