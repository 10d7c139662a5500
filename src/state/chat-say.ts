import type { AgentPart } from '../seam/agent-event.ts'
import { sendCommand } from '../session/send-command.ts'
import type { ChatOptions } from './chat-options.ts'
import type { ChatSnapshot } from './chat-snapshot.ts'
import type { ChatStore } from './chat-store.ts'
import { applyEvent } from './conversation/conversation.ts'
import { mapMessages } from './conversation/map-messages.ts'
import type { MessagePart } from './conversation/message.ts'
import type { Publisher } from './publisher.ts'
import { isOver, isUnderWay } from './run.ts'

export interface ChatSayOptions {
  readonly options: ChatOptions
  readonly store: ChatStore
  readonly publisher: Publisher<ChatSnapshot>
}

/** Resolves with whether an answer could hear it. */
export type ChatSay = (text: string, messageId: string) => Promise<boolean>

type Said = Extract<AgentPart, { readonly type: 'said' }>

/**
 * Says something into the running answer (steering). It is shown where it was said. Resolves with false when there is no answer
 * that could hear it, or the agent has no such command: then nothing of it is shown, and it is a message like any other.
 */
export function createChatSay({ options, store, publisher }: ChatSayOptions): ChatSay {
  function show(streamId: string, messageId: string, part: Said): void {
    const event = { type: 'part', streamId, partId: messageId, part } as const
    store.conversation = applyEvent(store.conversation, event, options.client().environment.clock.date())
    publisher.flush()
  }

  /** What the answer to the command tells of a message that is on its way; undefined takes it out. */
  function settle(messageId: string, status: 'sent' | 'not-sent' | undefined): void {
    store.conversation = mapMessages(store.conversation, (message) => {
      if (!message.parts.some((part) => isSaid(part, messageId) && part.status === 'sending')) return message
      const told = (part: MessagePart): readonly MessagePart[] => {
        if (!isSaid(part, messageId)) return [part]
        return status === undefined ? [] : [{ ...part, status }]
      }
      return { ...message, parts: message.parts.flatMap(told) }
    })
    publisher.flush()
  }

  /** The events of the run may be faster than the answer to the command, and arrive where that is lost. */
  function isHeard(messageId: string): boolean {
    return store.conversation.messages.some(({ parts }) =>
      parts.some((part) => isSaid(part, messageId) && part.status === 'sent'),
    )
  }

  return async (text, messageId) => {
    const { run, conversation } = store
    const streamId = [...(conversation.turn?.streams.keys() ?? [])].at(-1)
    if (!isUnderWay(run) || streamId === undefined) return false
    const { requestId, resumePoint } = run
    const client = options.client()
    if (client.protocol.act === undefined) return false
    show(streamId, messageId, { type: 'said', text, status: 'sending' })
    if (isOver(run)) {
      // A subscriber has stopped the run.
      settle(messageId, 'not-sent')
      return true
    }
    try {
      const { result } = await sendCommand(client, {
        type: 'say',
        requestId,
        handle: resumePoint.handle,
        messageId,
        text,
      })
      settle(messageId, result === 'accepted' ? 'sent' : undefined)
      return result === 'accepted' || isHeard(messageId)
    } catch {
      // It may have arrived, so it must not be sent as another message by itself.
      settle(messageId, 'not-sent')
      return true
    }
  }
}

function isSaid(part: MessagePart, messageId: string): part is Extract<MessagePart, { readonly type: 'said' }> {
  return part.type === 'said' && part.id === messageId
}
