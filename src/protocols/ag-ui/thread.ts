import type { JsonObject } from '../../base/json-object.ts'
import type { AgUiMessage, AgUiToolCall } from './messages.ts'

/** Ids are kept per kind: one id may name a text and an activity. */
export type MessageKind = 'text' | 'tool' | 'reasoning' | 'activity'

export function kindOf(role: AgUiMessage['role']): MessageKind {
  return role === 'tool' || role === 'reasoning' || role === 'activity' ? role : 'text'
}

/** The messages of a thread while events are added. Every method but `replace` costs the same however many messages there are. */
export interface Thread {
  readonly messages: readonly AgUiMessage[]
  get(kind: MessageKind, id: string): AgUiMessage | undefined
  /** The message that has a call, and the call. */
  call(id: string): { readonly message: AgUiMessage; readonly call: AgUiToolCall } | undefined
  /** The result of a call. */
  result(callId: string): AgUiMessage | undefined
  /** Adds the message, or puts it in place of the one of its kind and id. */
  put(message: AgUiMessage): void
  /** Adds the call to its message, or puts it in place of the one with its id. */
  putCall(message: AgUiMessage, call: AgUiToolCall): void
  /** Replaces all messages. */
  replace(messages: readonly AgUiMessage[]): void
}

export function createThread(before: readonly AgUiMessage[]): Thread {
  let messages = [...before]
  const places = new Map<string, number>()
  /** By the id of a call: key of its message, and of its result. */
  const calls = new Map<string, string>()
  const results = new Map<string, string>()
  for (const [place, message] of messages.entries()) index(message, place)

  function index(message: AgUiMessage, place: number): void {
    const key = keyOf(message)
    places.set(key, place)
    for (const { id } of message.toolCalls ?? []) calls.set(id, key)
    if (message.role === 'tool' && message.toolCallId !== undefined) results.set(message.toolCallId, key)
  }

  function at(key: string | undefined): AgUiMessage | undefined {
    return messages[places.get(key ?? '') ?? -1]
  }

  function put(message: AgUiMessage): void {
    const place = places.get(keyOf(message)) ?? messages.length
    messages[place] = message
    index(message, place)
  }

  return {
    get messages() {
      return messages
    },
    get: (kind, id) => at(`${kind} ${id}`),
    call(id) {
      const message = at(calls.get(id))
      const call = message?.toolCalls?.find((each) => each.id === id)
      return message && call && { message, call }
    },
    result: (callId) => at(results.get(callId)),
    put,
    putCall(message, call) {
      const known = message.toolCalls ?? []
      const isKnown = known.some(({ id }) => id === call.id)
      put({
        ...message,
        toolCalls: isKnown ? known.map((each) => (each.id === call.id ? call : each)) : [...known, call],
      })
    },
    replace(others) {
      messages = [...others]
      places.clear()
      calls.clear()
      results.clear()
      for (const [place, message] of messages.entries()) index(message, place)
    },
  }
}

/** Kind and id. */
export function keyOf({ role, id }: AgUiMessage): string {
  return `${kindOf(role)} ${id}`
}

/** The message or call with these metadata on top of its own, key by key. */
export function withMetadata<Item extends { readonly metadata?: JsonObject | undefined }>(
  item: Item,
  metadata: JsonObject | undefined,
): Item {
  return metadata === undefined ? item : { ...item, metadata: { ...item.metadata, ...metadata } }
}
