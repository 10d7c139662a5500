import type { JsonObject } from '../../../base/json-object.ts'
import type { AiSdkRequest } from '../request.ts'
import type { UiMessage } from '../messages.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import { sharedIn } from '../../../seam/shared-in.ts'
import { settled, toUiMessages, userMessage } from './ui-messages.ts'

/** The members of a request, named as in the AI SDK's transport. */
export interface AiSdkCall {
  /** The id of the chat: that of the conversation. */
  readonly id: string
  /** The whole conversation, the new message last. */
  readonly messages: readonly UiMessage[]
  readonly trigger: 'submit-message' | 'regenerate-message'
  /** The answer that continues. Absent: a new answer. */
  readonly messageId?: string | undefined
  /** The state that agent and user share. Absent: neither has set one. */
  readonly state?: unknown
}

/** What is added to the body of every request: fixed, or asked for at each. */
export type AiSdkBody = JsonObject | ((input: ChatInput) => JsonObject | Promise<JsonObject>)

export interface AiSdkRequestOptions {
  readonly body?: AiSdkBody | undefined
  readonly history?: 'all' | 'last' | undefined
  readonly prepareBody?: ((call: AiSdkCall, input: ChatInput) => JsonObject | Promise<JsonObject>) | undefined
}

/**
 * A user's message and all earlier ones, as an AI SDK request. Answers to the questions of the previous run are in the message
 * that has asked, which continues.
 */
export async function createAiSdkRequest(input: ChatInput, options: AiSdkRequestOptions): Promise<AiSdkRequest> {
  const { text, files = [], conversationId: id, requestId, history = [], isRegeneration = false, metadata } = input
  const known = toUiMessages(history)
  const isContinuation = text === '' && files.length === 0 && known.at(-1)?.role === 'assistant'
  const before = isContinuation ? [...known.slice(0, -1).map(settled), ...known.slice(-1)] : known.map(settled)
  const continues = isContinuation ? before.at(-1) : undefined
  // The same id whenever this message is sent.
  const messages = isContinuation || isRegeneration ? before : [...before, userMessage(`user-${requestId}`, input)]
  // What this request has is where the server looks for it: at the last message of the user.
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const question = messages[asked]
  if (question !== undefined && metadata !== undefined) messages[asked] = { ...question, metadata }
  const trigger = isRegeneration ? 'regenerate-message' : 'submit-message'
  const { current, edit } = await sharedIn(input)
  const shared = current === undefined ? {} : { state: current.state }
  const call: AiSdkCall = { id, messages, trigger, ...(continues && { messageId: continues.id }), ...shared }
  const answerIds = before.flatMap(({ role, id: messageId }) => (role === 'assistant' ? [messageId] : []))
  const edited = edit && { id: edit.id, state: current?.state }
  const body = await bodyOf(call, input, options)
  return { chatId: id, body, ...(continues && { continues }), answerIds, ...(edited && { edited }) }
}

async function bodyOf(
  call: AiSdkCall,
  input: ChatInput,
  { body, history = 'all', prepareBody }: AiSdkRequestOptions,
): Promise<JsonObject> {
  if (prepareBody !== undefined) return prepareBody(call, input)
  const { messages, ...rest } = call
  const extras = typeof body === 'function' ? await body(input) : body
  return { ...extras, ...rest, ...(history === 'all' ? { messages } : { message: messages.at(-1) }) }
}
