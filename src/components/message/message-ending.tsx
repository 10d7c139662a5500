'use client'
import type { ReactNode } from 'react'
import { useChatContext } from '../../react/chat-context.ts'
import { useChatSelector } from '../../react/use-chat-selector.ts'
import type { ChatMessage } from '../../state/conversation/message.ts'
import { describeError } from '../error-details/describe-error.ts'
import { ErrorDetails } from '../error-details/error-details.tsx'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Dot, MessageStatusRow } from '../internals/message-status-row.tsx'
import { isEmptyAnswer } from './live-status.ts'
import { StepButton } from '../internals/step-button.tsx'

/**
 * How an answer ended when it did not end well: incomplete, stopped or broken off. The last message has
 * its next step too; further up it would drop what was said since.
 */
export function MessageEnding({ message }: { readonly message: ChatMessage }): ReactNode {
  const dictionary = useDictionary()
  const strings = dictionary.ending
  const chat = useChatContext()
  const last = useChatSelector(({ messages }) => messages.at(-1)?.id === message.id)
  const attempts = useChatSelector(({ connection }) => (connection.phase === 'failed' ? connection.requests : 0))
  const step = (label: string, action: (id: string) => Promise<unknown>): ReactNode =>
    last && <StepButton onPress={() => action(message.id)}>{label}</StepButton>

  if (message.status === 'incomplete') {
    const isCut = message.error === undefined || message.error.code === 'truncated'
    return (
      <MessageStatusRow icon="cut" tone="caution">
        <b className="cs-strong">{isEmptyAnswer(message) ? strings.failedEmpty : strings.incomplete}</b>
        <span>
          {message.error && !isCut
            ? `${describeError(message.error, dictionary, attempts).title}.`
            : strings.incompleteText}
        </span>
        {step(strings.continue, chat.retry)}
      </MessageStatusRow>
    )
  }
  if (message.status === 'stopped') {
    return (
      <MessageStatusRow icon="stop">
        <b className="cs-strong">{strings[message.stop ?? 'stopped']}</b>
        {last && <Dot />}
        {step(dictionary.message.regenerate, chat.regenerate)}
      </MessageStatusRow>
    )
  }
  if (message.status === 'failed') {
    const code = message.error?.agentCode ?? message.error?.code
    return (
      <MessageStatusRow icon="fatal" tone="error">
        <b className="cs-strong">{isEmptyAnswer(message) ? strings.failedEmpty : strings.failed}</b>
        {last && <Dot />}
        {step(strings.tryAgain, chat.retry)}
        {code && <ErrorDetails facts={[code]} />}
      </MessageStatusRow>
    )
  }
  return null
}
