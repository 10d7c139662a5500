import type { CapturableChat } from '../../state/chat-options.ts'
import type { SendResult } from '../../state/send-result.ts'
import type { CreateError } from '../records/stored-message.ts'
import { unpackMessage } from '../records/stored-message.ts'
import type { ChatCall } from './tab-message.ts'
import { isLive } from '../records/thread-of.ts'

export interface PerformOptions {
  /** Of the call: what begins a run begins it under this request id. */
  readonly id: string
  /** It may have been performed by a leader whose state is lost: it must not be refused because something else runs now. */
  readonly isRepeated: boolean
  readonly createError: CreateError
}

/** Performs a call of this tab or of another one. Resolves with what became of it, where it was something to send. */
export async function performCall(chat: CapturableChat, call: ChatCall, { id, isRepeated, createError }: PerformOptions): Promise<SendResult | void> {
  switch (call.verb) {
    case 'sendMessage':
      return chat.sendMessage(call.message, isRepeated ? { ...call.options, whenBusy: 'queue' } : call.options, id)
    case 'edit':
      return chat.edit(call.messageId, call.message, id)
    case 'regenerate':
      return chat.regenerate(call.messageId, id)
    case 'retry':
      return chat.retry(call.messageId, id)
    case 'discard':
      return void chat.discard(call.messageId)
    case 'prepend':
      return chat.prepend(call.messages.map((message) => unpackMessage(message, createError)))
    case 'stop':
      return call.requestId === undefined || isLive(chat.getSnapshot().messages, call.requestId) ? chat.stop() : undefined
    case 'resume':
      return chat.resume()
    case 'clearError':
      return chat.clearError()
  }
}
