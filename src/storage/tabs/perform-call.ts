import type { CapturableChat } from '../../state/chat-options.ts'
import type { SendOptions } from '../../state/chat-actions.ts'
import type { CreateError } from '../records/stored-message.ts'
import { unpackMessage } from '../records/stored-message.ts'
import type { CallResult } from './call-result.ts'
import type { ChatCall } from './tab-message.ts'

export interface PerformOptions {
  /** Of the call: what begins a run begins it under this request id. */
  readonly id: string
  /** A leader whose state is lost may have performed it: it must not be refused because another run is active now. */
  readonly isRepeated: boolean
  readonly createError: CreateError
}

/** Performs a call of this tab or of another one. Resolves with what became of it, where it was something to send. */
export async function performCall(
  chat: CapturableChat,
  call: ChatCall,
  { id, isRepeated, createError }: PerformOptions,
): Promise<CallResult | void> {
  switch (call.action) {
    case 'sendMessage': {
      const { whenBusy } = call.options
      const repeated: SendOptions = { whenBusy: whenBusy === 'say' ? 'say' : 'queue' }
      return chat.sendMessage(call.message, isRepeated ? repeated : call.options, id)
    }
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
      // A stop that comes late must not end another run.
      return { status: await (call.requestId === undefined ? chat.stop() : chat.stopRun(call.requestId)) }
    case 'answer':
      return chat.answer(call.promptId, call.answer, id)
    case 'settlePrompts':
      return chat.settlePrompts(call.outcomes)
    case 'changeLease':
      return chat.changeLease(call.leaseId, call.change, id)
    case 'changeState':
      return void chat.changeState(call.edit)
    case 'resume':
      return chat.resume()
    case 'clearError':
      return chat.clearError()
  }
}
