import { isGiven, withoutUndefined } from '../../base/given-members.ts'
import type { UiMessageChunk } from './chunks.ts'
import { type UiMessage, type UiPart, type UiToolState, inState, rawInputOf, toolNameOf } from './messages.ts'
import { isJsonObject } from '../../base/json-object.ts'

/** What a chunk changed in the message. */
export type Change =
  | { readonly type: 'text'; readonly index: number; readonly delta: string }
  /** The part is new, or another one. */
  | { readonly type: 'part'; readonly index: number }
  /** The call of the part waits for the user, or no longer. */
  | { readonly type: 'asked' | 'settled'; readonly index: number }
  /** Parts were taken back. */
  | { readonly type: 'reset' }

/** A message while chunks are added to it, by the rules of the readers of the AI SDK; lenient where those give up. */
export interface UiMessageDraft {
  /** The message as it is now, which later chunks do not change. */
  readonly message: UiMessage
  readonly metadata: unknown
  /** The parts, which later chunks change. */
  readonly parts: readonly UiPart[]
  /** Index of the first part that this run has added. */
  readonly from: number
  readonly open: Readonly<Record<string, number>>
  apply(chunk: UiMessageChunk): Change | undefined
  /** Whether a part at this index or behind it is not closed: text, reasoning, or the input of a call. */
  isOpenFrom(index: number): boolean
}

/** What a draft continues from. */
export interface DraftBase {
  readonly message: UiMessage
  /** @default 0 */
  readonly from?: number | undefined
  /** Absent: not known, so that the last part of a kind that is open is continued with. */
  readonly open?: Readonly<Record<string, number>> | undefined
}

type Kind = 'text' | 'reasoning'

export function createUiMessageDraft({ message, from = 0, open }: DraftBase): UiMessageDraft {
  let { id, metadata } = message
  const parts: UiPart[] = [...message.parts]
  /** Index of each open text and reasoning, by kind and id. Keys are of the sender, so it is a map. */
  const openParts = new Map(Object.entries(open ?? {}))
  /** Index of the last call with each id. */
  let calls = callsIn(parts)
  let step = Math.max(
    from - 1,
    parts.findLastIndex(({ type }) => type === 'step-start'),
  )

  function push(part: UiPart): number {
    return parts.push(part) - 1
  }

  function change(index: number, by: Partial<UiPart>): Change {
    const part = parts[index]
    if (part !== undefined) parts[index] = { ...part, ...by }
    return { type: 'part', index }
  }

  function begin(kind: Kind, key: string, providerMetadata: unknown): number {
    const index = push({
      type: kind,
      text: '',
      state: 'streaming',
      ...(isGiven(providerMetadata) && { providerMetadata }),
    })
    openParts.set(key, index)
    return index
  }

  function openIndex(kind: Kind, key: string): number | undefined {
    const known = openParts.get(key)
    if (known !== undefined || open !== undefined) return known
    const last = parts.findLastIndex(({ type, state }) => type === kind && state === 'streaming')
    // One of an answer that another page has stored, whose ids are not known.
    return last >= from && ![...openParts.values()].includes(last) ? last : undefined
  }

  function speak(kind: Kind, key: string, delta: string, providerMetadata: unknown): Change {
    const index = openIndex(kind, key) ?? begin(kind, key, undefined)
    openParts.set(key, index)
    change(index, {
      text: `${parts[index]?.text ?? ''}${delta}`,
      ...(isGiven(providerMetadata) && { providerMetadata }),
    })
    return kind === 'text' ? { type: 'text', index, delta } : { type: 'part', index }
  }

  function close(kind: Kind, key: string, by: Partial<UiPart>): Change | undefined {
    const index = openIndex(kind, key)
    if (index === undefined) return undefined
    openParts.delete(key)
    return change(index, { ...by, state: 'done' })
  }

  type Call = Extract<UiMessageChunk, { readonly toolName: string }>

  /** The part of the call: that of this step, or a new one. Ids return in later steps; the last name wins. */
  function callOf({ toolCallId, toolName, dynamic }: Call): number {
    const known = calls.get(toolCallId)
    const part = known !== undefined && known >= step ? parts[known] : undefined
    const isDynamic = part === undefined ? dynamic === true : part.type === 'dynamic-tool'
    const name = isDynamic ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` }
    if (known !== undefined && part !== undefined) {
      if (toolNameOf(part) !== toolName) change(known, name)
      return known
    }
    const index = push({ ...name, toolCallId })
    calls.set(toolCallId, index)
    return index
  }

  function enter(index: number, state: UiToolState, by: Partial<UiPart>): Change {
    const part = parts[index]
    if (part !== undefined) parts[index] = inState(part, state, by)
    return { type: 'part', index }
  }

  function flagsOf({ providerExecuted, title, toolMetadata, providerMetadata }: Call): Partial<UiPart> {
    return {
      ...(providerExecuted !== undefined && { providerExecuted }),
      ...(title !== undefined && { title }),
      ...(isGiven(toolMetadata) && { toolMetadata }),
      ...(isGiven(providerMetadata) && { callProviderMetadata: providerMetadata }),
    }
  }

  function settle(
    chunk: {
      readonly toolCallId: string
      readonly providerExecuted?: boolean | undefined
      readonly toolMetadata?: unknown
      readonly providerMetadata?: unknown
    },
    state: UiToolState,
    by: Partial<UiPart>,
  ): Change | undefined {
    const index = calls.get(chunk.toolCallId)
    if (index === undefined) return undefined
    const wasAsked = parts[index]?.state === 'approval-requested'
    enter(index, state, {
      ...by,
      ...(isGiven(chunk.toolMetadata) && { toolMetadata: chunk.toolMetadata }),
      ...(chunk.providerExecuted !== undefined && { providerExecuted: chunk.providerExecuted }),
      ...(isGiven(chunk.providerMetadata) && { resultProviderMetadata: chunk.providerMetadata }),
    })
    return { type: wasAsked ? 'settled' : 'part', index }
  }

  function putData({ name, id: dataId, data }: Extract<UiMessageChunk, { readonly type: 'data' }>): Change {
    const known = dataId === undefined ? -1 : parts.findIndex((part) => part.type === name && part.id === dataId)
    if (known !== -1) return change(known, { data })
    return { type: 'part', index: push({ type: name, ...(dataId !== undefined && { id: dataId }), data }) }
  }

  function reset(): Change {
    parts.length = step + 1
    for (const [key, index] of openParts) if (index > step) openParts.delete(key)
    calls = callsIn(parts)
    return { type: 'reset' }
  }

  /** Parts that are as they were sent, without what is not in a message. */
  function add({ type, ...members }: UiPart): Change {
    return { type: 'part', index: push({ type, ...withoutUndefined(members) }) }
  }

  function apply(chunk: UiMessageChunk): Change | undefined {
    switch (chunk.type) {
      case 'start':
        id = chunk.messageId ?? id
        metadata = mergeMetadata(metadata, chunk.messageMetadata)
        return undefined
      case 'finish':
      case 'message-metadata':
        metadata = mergeMetadata(metadata, chunk.messageMetadata)
        return undefined
      case 'start-step':
        step = push({ type: 'step-start' })
        return undefined
      case 'reset-step':
        return reset()
      case 'text-start':
        return { type: 'part', index: begin('text', `text ${chunk.id}`, chunk.providerMetadata) }
      case 'reasoning-start':
        return { type: 'part', index: begin('reasoning', `reasoning ${chunk.id}`, chunk.providerMetadata) }
      case 'text-delta':
        return speak('text', `text ${chunk.id}`, chunk.delta, chunk.providerMetadata)
      case 'reasoning-delta':
        return speak('reasoning', `reasoning ${chunk.id}`, chunk.delta, chunk.providerMetadata)
      case 'text-end': {
        const { providerMetadata, citations } = chunk
        return close('text', `text ${chunk.id}`, withoutUndefined({ providerMetadata, citations }))
      }
      case 'reasoning-end':
        return close(
          'reasoning',
          `reasoning ${chunk.id}`,
          withoutUndefined({ providerMetadata: chunk.providerMetadata }),
        )
      case 'tool-input-start': {
        const { inputEncoding } = chunk
        return enter(callOf(chunk), 'input-streaming', { ...flagsOf(chunk), input: undefined, inputEncoding })
      }
      case 'tool-input-delta': {
        const index = calls.get(chunk.toolCallId)
        if (index === undefined || parts[index]?.state !== 'input-streaming') return undefined
        return change(index, { rawInput: `${rawInputOf(parts[index])}${chunk.inputTextDelta}` })
      }
      case 'tool-input-available':
        return enter(callOf(chunk), 'input-available', { input: chunk.input, ...flagsOf(chunk) })
      case 'tool-input-error': {
        const { input, errorText, providerMetadata } = chunk
        return enter(callOf(chunk), 'output-error', {
          ...flagsOf({ ...chunk, providerMetadata: undefined }),
          input,
          errorText,
          ...(isGiven(providerMetadata) && { resultProviderMetadata: providerMetadata }),
        })
      }
      case 'tool-output-available': {
        const { output, preliminary } = chunk
        return settle(chunk, 'output-available', { output, preliminary: preliminary === true ? true : undefined })
      }
      case 'tool-output-error': {
        // Of a call that failed before its input was complete, this is all of the input that there is.
        const { rawInput } = parts[calls.get(chunk.toolCallId) ?? -1] ?? {}
        return settle(chunk, 'output-error', { errorText: chunk.errorText, rawInput })
      }
      case 'tool-output-denied':
        return settle(chunk, 'output-denied', {})
      case 'tool-approval-request': {
        const index = calls.get(chunk.toolCallId)
        if (index === undefined) return undefined
        enter(index, 'approval-requested', { approval: chunk.approval })
        // A record of the server's own rules is not a question.
        return { type: chunk.approval.isAutomatic === true ? 'part' : 'asked', index }
      }
      case 'tool-approval-response': {
        const index = parts.findLastIndex(({ approval }) => approval?.id === chunk.approvalId)
        const approval = parts[index]?.approval
        if (approval === undefined) return undefined
        const { approved, reason, providerExecuted, providerMetadata } = chunk
        enter(index, 'approval-responded', {
          approval: { ...approval, approved, ...(reason !== undefined && { reason }) },
          ...(providerExecuted !== undefined && { providerExecuted }),
          ...(isGiven(providerMetadata) && { callProviderMetadata: providerMetadata }),
        })
        return { type: approval.isAutomatic === true ? 'part' : 'settled', index }
      }
      case 'data':
        return chunk.transient === true ? undefined : putData(chunk)
      case 'source-url':
      case 'source-document':
      case 'file':
      case 'reasoning-file':
      case 'custom':
      case 'steering-message':
        return add(chunk)
      case 'finish-step':
      case 'abort':
      case 'error':
      case 'unknown':
        return undefined
    }
  }

  return {
    get message(): UiMessage {
      return { id, role: 'assistant', ...(metadata !== undefined && { metadata }), parts: [...parts] }
    },
    get metadata() {
      return metadata
    },
    parts,
    from,
    get open() {
      return Object.fromEntries(openParts)
    },
    apply,
    isOpenFrom: (index) => parts.slice(index).some(({ state }) => state === 'streaming' || state === 'input-streaming'),
  }
}

function callsIn(parts: readonly UiPart[]): Map<string, number> {
  return new Map(
    parts.flatMap(({ toolCallId }, index) => (toolCallId === undefined ? [] : [[toolCallId, index] as const])),
  )
}

/** Metadata of a message with what a later chunk says: objects are merged key by key, anything else is replaced. */
function mergeMetadata(before: unknown, now: unknown): unknown {
  if (now === undefined || now === null) return before
  if (!isJsonObject(before) || !isJsonObject(now)) return now
  const all = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(now)) all.set(key, mergeMetadata(all.get(key), value))
  return Object.fromEntries(all)
}
