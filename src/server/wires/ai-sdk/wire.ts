import { NOT_ALLOWED, TOOL_FAILED } from '../../../base/tool-failures.ts'
import { type Digest, toUuid } from '../../../base/digest.ts'
import { isJsonObject, type JsonObject } from '../../../base/json-object.ts'
import type { Attachment } from '../../../seam/chat-input.ts'
import type { AgentPart } from '../../../seam/agent-event.ts'
import { canonicalUuid } from '../../../protocols/cap/values/scalars.ts'
import { STATE_ID } from '../../run/agent-run-state.ts'
import { invalidRequest } from '../../http/incoming-call.ts'
import { wasAllowed } from '../prompt-answer.ts'
import { fileOf } from '../wire-file.ts'
import type { ForeignAnswer, ForeignCall, RequestHeader, Wire, WireWriter } from '../wire.ts'

/**
 * The UI message stream of the AI SDK, as `useChat` of version 5, 6 and 7 reads it. The id of an answer's message is that of its run.
 * An approval has the id `<run>.<prompt>`; other questions are calls of tools without a result, named after their kind.
 */
export const aiSdkWire: Wire = {
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  trailer: 'data: [DONE]\n\n',
  read,
  writer,
}

async function read(body: JsonObject, header: RequestHeader, digest: Digest): Promise<ForeignCall> {
  const { id: chatId, trigger, messageId, state } = body
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isJsonObject) : []
  const last = messages.at(-1)
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const question = messages[asked]
  if (question === undefined) throw invalidRequest('The request body has no message of a user.')
  const conversationId = canonicalUuid(chatId) ?? toUuid(await digest(JSON.stringify(['capstan session', chatId])))
  const { metadata } = question
  const before = messages.slice(0, asked).findLast(({ role }) => role === 'assistant')
  const sent = state === undefined ? stateIn(messages) : { state }
  const call = {
    conversationId,
    text: textOf(question),
    files: filesOf(question),
    ...(isJsonObject(metadata) && { metadata }),
    after: canonicalUuid(before?.['id']),
    seen: 0,
    ...(sent && { sent }),
  }
  if (last?.['role'] === 'assistant') {
    const answers = answersIn(last)
    const requestId = canonicalUuid(last['id'])
    if (requestId === undefined || answers.length === 0)
      throw invalidRequest('The last message is an answer, and has no answer to what was asked in it.')
    return { ...call, requestId, answers }
  }
  // The same request is the same run. One that is made again names its own run, or the answer before, or has other metadata.
  const named = ['ai-sdk run', chatId, trigger, messageId, question['id'], call.text, metadata, header('x-run-id')]
  return { ...call, requestId: toUuid(await digest(JSON.stringify(named))), answers: [] }
}

function partsOf(message: JsonObject): readonly JsonObject[] {
  return Array.isArray(message['parts']) ? message['parts'].filter(isJsonObject) : []
}

/** For a client that sends none: the last one sent to it. */
function stateIn(messages: readonly JsonObject[]): { readonly state: unknown } | undefined {
  const told = messages.flatMap(partsOf).findLast(({ type, id }) => type === 'data-state' && id === STATE_ID)
  return told?.['data'] === undefined ? undefined : { state: told['data'] }
}

function textOf(message: JsonObject): string {
  return partsOf(message)
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('')
}

function filesOf(message: JsonObject): Attachment[] {
  return partsOf(message).flatMap(({ type, url, mediaType, filename }) =>
    type === 'file' ? (fileOf({ id: url }, { name: filename, mimeType: mediaType }) ?? []) : [],
  )
}

/** Only `true` is consent. */
function answersIn(message: JsonObject): ForeignAnswer[] {
  return partsOf(message).flatMap(({ state, approval, toolCallId, output }): ForeignAnswer[] => {
    if (isJsonObject(approval) && typeof approval['approved'] === 'boolean') {
      const promptId = promptOf(approval['id'])
      return promptId === undefined ? [] : [{ promptId, says: { type: approval['approved'] ? 'allow' : 'deny' } }]
    }
    const promptId = promptOf(toolCallId)
    if (promptId === undefined) return []
    if (state === 'output-available') return [{ promptId, says: { type: 'value', value: output } }]
    return state === 'output-error' ? [{ promptId, says: { type: 'cancel' } }] : []
  })
}

/** `<run>.<prompt>`; undefined for any other id. */
function promptOf(id: unknown): string | undefined {
  return typeof id === 'string' ? canonicalUuid(id.split('.')[1]) : undefined
}

/** A data part that is kept with the message, and replaced in place. */
function stateChunk(state: unknown): object {
  return { type: 'data-state', id: STATE_ID, data: state }
}

function writer({ requestId, answers }: ForeignCall): WireWriter {
  const known = new Set<string>()
  const tools = new Set<string>()
  const thoughts = new Map<string, string>()
  const asked = new Map<
    string,
    { readonly toolCallId: string; readonly isApproval: boolean; readonly options: unknown }
  >()
  const isContinued = answers.length > 0
  let open: { readonly type: 'text' | 'reasoning'; readonly id: string } | undefined
  let ordinal = 0

  const shut = (): object[] => {
    const ended = open
    open = undefined
    return ended === undefined ? [] : [{ type: `${ended.type}-end`, id: ended.id }]
  }
  const go = (type: 'text' | 'reasoning', name: string, delta: string): object[] => {
    if (delta === '') return []
    const id = `${name}-${isContinued ? 'c' : ''}${ordinal}`
    if (open?.type === type && open.id.startsWith(`${name}-`)) return [{ type: `${type}-delta`, id: open.id, delta }]
    const before = shut()
    ordinal += 1
    open = { type, id }
    return [...before, { type: `${type}-start`, id }, { type: `${type}-delta`, id, delta }]
  }
  const think = (id: string, text: string): object[] => {
    const before = thoughts.get(id) ?? ''
    thoughts.set(id, text)
    return go('reasoning', `r${id}`, text.startsWith(before) ? text.slice(before.length) : text)
  }
  const once = (key: string, chunk: object): object[] => {
    if (known.has(key)) return []
    known.add(key)
    return [chunk]
  }
  const tool = (toolCallId: string, toolName: string, input: unknown): object[] => {
    if (tools.has(toolCallId)) return []
    tools.add(toolCallId)
    return [{ type: 'tool-input-available', toolCallId, toolName, input: input ?? {}, dynamic: true }]
  }
  const show = (id: string, part: AgentPart): object[] => {
    switch (part.type) {
      case 'thought':
        return think(id, part.text)
      case 'tool-call': {
        const begun = tool(id, part.name, part.input)
        if (part.status === 'complete')
          return [
            ...begun,
            { type: 'tool-output-available', toolCallId: id, output: part.output ?? null, dynamic: true },
          ]
        // One that was not allowed has its own end.
        if (!(part.status === 'failed' || part.status === 'denied') || known.has(`denied ${id}`)) return begun
        const errorText = part.status === 'denied' ? NOT_ALLOWED : TOOL_FAILED
        return [...begun, { type: 'tool-output-error', toolCallId: id, errorText, dynamic: true }]
      }
      case 'citations':
        return part.citations.flatMap(({ uri, title, sourceId }) =>
          uri === '' ? [] : once(`source ${uri}`, { type: 'source-url', sourceId, url: uri, title }),
        )
      case 'media':
        return part.items.flatMap(({ url, mimeType: mediaType }) =>
          once(`file ${url}`, { type: 'file', url, mediaType: mediaType || 'application/octet-stream' }),
        )
      case 'markdown':
        return go('text', `m${id}`, part.content)
      default:
        return [{ type: `data-${part.type}`, id, data: part }]
    }
  }

  return {
    begin: (told) => [
      { type: 'start', messageId: requestId },
      { type: 'start-step' },
      ...(told === undefined ? [] : [stateChunk(told.state)]),
    ],
    // It has no patches.
    state: (state) => [stateChunk(state)],
    text: (streamId, text) => go('text', streamId, text),
    part: (id, part) => (part.type === 'thought' ? show(id, part) : [...shut(), ...show(id, part)]),
    ask(id, { kind, subject, message, options, schema, url }) {
      const approvalId = `${requestId}.${id}`
      const isApproval = kind === 'approval' || kind === 'permission'
      const about = isJsonObject(subject) ? subject : {}
      const named = isApproval ? about['tool_call_id'] : undefined
      const toolCallId = typeof named === 'string' ? named : approvalId
      asked.set(id, { toolCallId, isApproval, options })
      if (!isApproval) return [...shut(), ...tool(toolCallId, `ask_${String(kind)}`, { message, options, schema, url })]
      return [
        ...shut(),
        ...tool(toolCallId, String(about['name']), about['input']),
        { type: 'tool-approval-request', approvalId, toolCallId },
      ]
    },
    settle(id, data) {
      const { toolCallId, isApproval, options } = asked.get(id) ?? { toolCallId: '', isApproval: false, options: [] }
      if (!isApproval || wasAllowed(data, options)) return []
      known.add(`denied ${toolCallId}`)
      return [{ type: 'tool-output-denied', toolCallId }]
    },
    warn: (code, message) => [{ type: 'data-warning', data: { code, message } }],
    fail: (_code, message) => [...shut(), { type: 'error', errorText: message }],
    end(how) {
      if (how === 'failed') return []
      if (how === 'cancelled') return [...shut(), { type: 'abort' }]
      const finishReason = how === 'asking' ? 'tool-calls' : 'stop'
      return [...shut(), { type: 'finish-step' }, { type: 'finish', finishReason }]
    },
  }
}
