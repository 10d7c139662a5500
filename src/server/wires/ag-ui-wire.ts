import { NOT_ALLOWED } from '../../base/text/tool-failures.ts'
import type { Digest } from '../../base/digest.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { Attachment } from '../../protocols/chat-input.ts'
import type { AgentPart } from '../../protocols/agent-event.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { toUuid } from '../http/name-uuid.ts'
import { invalidRequest } from '../http/read-json-body.ts'
import { wasAllowed } from './prompt-answer.ts'
import { readRunAgentInput } from './run-agent-input.ts'
import { fileOf } from './wire-file.ts'
import type { ForeignAnswer, ForeignCall, Wire, WireWriter } from './wire.ts'

/**
 * AG-UI 1.0. A run that asks ends with an interrupt of the id `<run>.<prompt>`; the next run answers it by `resume`, and goes on with the
 * same run of the agent. Ids of messages begin with the id of that run.
 */
export const agUiWire: Wire = { headers: {}, trailer: '', read, writer }

/** Results of calls that the agent says nothing of. */
const ALLOWED = JSON.stringify({ approved: true })
const NOT_ALLOWED_RESULT = JSON.stringify({ error: NOT_ALLOWED })

async function read(body: JsonObject, lastEventId: string | null, digest: Digest): Promise<ForeignCall> {
  const { threadId, runId, messages, resume } = readRunAgentInput(body)
  const { state } = body
  // A run may begin without a message of the user.
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const conversationId = canonicalUuid(threadId) ?? toUuid(await digest(JSON.stringify(['capstan session', threadId])))
  const { content, metadata } = messages[asked] ?? {}
  const before = (asked === -1 ? messages : messages.slice(0, asked)).findLast(({ role }) => role === 'assistant')
  const seen = /\/(\d+)$/.exec(lastEventId ?? '')?.[1]
  // Clients that have none write an empty object.
  const hasState = state !== undefined && !(isJsonObject(state) && Object.keys(state).length === 0)
  const call = {
    conversationId,
    text: textOf(content),
    files: filesOf(content),
    ...(isJsonObject(metadata) && { metadata }),
    after: runOf(before?.['id']),
    seen: Number(seen ?? 0),
    ...(hasState && { sent: { state } }),
  }
  if (resume.length > 0) {
    const run = runOf(resume[0]?.['interruptId'])
    const answers = resume.map((each) => answerOf(each, run))
    if (run === undefined || answers.includes(undefined))
      throw invalidRequest('resume answers an interrupt that no run of this server has asked.')
    return { ...call, requestId: run, answers: answers.flatMap((answer) => answer ?? []) }
  }
  const requestId = canonicalUuid(runId) ?? toUuid(await digest(JSON.stringify(['ag-ui run', threadId, runId])))
  return { ...call, requestId, answers: [] }
}

/** The run in an id of this server, which begins with it. */
function runOf(id: unknown): string | undefined {
  return typeof id === 'string' ? canonicalUuid(id.slice(0, 36)) : undefined
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : []
  return parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('')
}

/** Files of a message: `image`, `audio`, `video` and `document` with a source, and the `binary` parts of older clients. */
function filesOf(content: unknown): Attachment[] {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : []
  return parts.flatMap(({ type, source, metadata, data, url, id, mimeType, filename }) => {
    if (type === 'binary') return fileOf({ data, id: url ?? id }, { name: filename, mimeType }) ?? []
    if (!isJsonObject(source)) return []
    const described = { name: isJsonObject(metadata) ? metadata['filename'] : undefined, mimeType: source['mimeType'] }
    const { value } = source
    return fileOf(source['type'] === 'data' ? { data: value } : { id: value }, described) ?? []
  })
}

/** By this mark the client of TanStack AI knows that the call needs consent, and takes an answer. */
function approvalOf({ name, input }: JsonObject): JsonObject {
  return { kind: 'approval', toolName: String(name), input: input ?? {} }
}

/** Only `resolved` with a payload that says so is consent. */
function answerOf({ interruptId, status, payload }: JsonObject, run: string | undefined): ForeignAnswer | undefined {
  const promptId = typeof interruptId === 'string' ? canonicalUuid(interruptId.split('.')[1]) : undefined
  if (promptId === undefined || runOf(interruptId) !== run) return undefined
  if (status === 'cancelled') return { promptId, says: { type: 'cancel' } }
  if (status !== 'resolved') return undefined
  if (isJsonObject(payload) && typeof payload['approved'] === 'boolean') {
    const { approved, editedArgs: edits } = payload
    return { promptId, says: { type: approved ? 'allow' : 'deny' }, ...(edits !== undefined && { edits }) }
  }
  return payload === undefined ? undefined : { promptId, says: { type: 'value', value: payload } }
}

function writer({ requestId, answers }: ForeignCall, { threadId, runId, parentRunId }: JsonObject): WireWriter {
  const tools = new Set<string>()
  const thoughts = new Map<string, string>()
  const mark = answers.length > 0 ? `${String(runId)}-` : ''
  let open:
    | { readonly kind: 'TEXT_MESSAGE' | 'REASONING_MESSAGE'; readonly messageId: string; readonly name: string }
    | undefined
  let ordinal = 0

  const nextId = (): string => `${requestId}-${mark}${(ordinal += 1)}`
  const shut = (): object[] => {
    if (open === undefined) return []
    const { kind, messageId } = open
    open = undefined
    const ended = { type: `${kind}_END`, messageId }
    return kind === 'TEXT_MESSAGE' ? [ended] : [ended, { type: 'REASONING_END', messageId }]
  }
  const go = (kind: 'TEXT_MESSAGE' | 'REASONING_MESSAGE', name: string, delta: string): object[] => {
    if (delta === '') return []
    if (open?.kind === kind && open.name === name)
      return [{ type: `${kind}_CONTENT`, messageId: open.messageId, delta }]
    const before = shut()
    const messageId = nextId()
    open = { kind, messageId, name }
    const isText = kind === 'TEXT_MESSAGE'
    return [
      ...before,
      ...(isText ? [] : [{ type: 'REASONING_START', messageId }]),
      { type: `${kind}_START`, messageId, role: isText ? 'assistant' : 'reasoning' },
      { type: `${kind}_CONTENT`, messageId, delta },
    ]
  }
  const tool = (toolCallId: string, toolCallName: string, input: unknown): object[] => {
    if (tools.has(toolCallId)) return []
    tools.add(toolCallId)
    return [
      { type: 'TOOL_CALL_START', toolCallId, toolCallName },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input ?? {}) },
      { type: 'TOOL_CALL_END', toolCallId },
    ]
  }
  const show = (id: string, part: AgentPart): object[] => {
    if (part.type === 'markdown') return [...shut(), ...go('TEXT_MESSAGE', `m${id}`, part.content)]
    if (part.type !== 'tool-call') return [...shut(), { type: 'CUSTOM', name: part.type, value: { id, ...part } }]
    const begun = [...shut(), ...tool(id, part.name, part.input)]
    if (part.status === 'denied') return [...begun, ...result(id, NOT_ALLOWED_RESULT)]
    if (part.status !== 'complete' && part.status !== 'failed') return begun
    const output = part.output ?? null
    const content = typeof output === 'string' ? output : JSON.stringify(output)
    return [...begun, ...result(id, content)]
  }
  const interrupts = new Map<string, object>()
  /** Calls that the user was asked for, by the ids of the questions. */
  const calls = new Map<string, { readonly toolCallId: string; readonly options: unknown }>()
  /** Calls that were allowed and have no result. */
  const owed = new Set<string>()
  const results = new Set<string>()
  const result = (toolCallId: string, content: string): object[] => {
    owed.delete(toolCallId)
    if (results.has(toolCallId)) return []
    results.add(toolCallId)
    return [{ type: 'TOOL_CALL_RESULT', messageId: nextId(), toolCallId, content, role: 'tool' }]
  }
  const ended = (outcome: object): object[] => [...shut(), { type: 'RUN_FINISHED', threadId, runId, outcome }]

  return {
    begin: (told) => [
      {
        type: 'RUN_STARTED',
        threadId,
        runId,
        protocolVersion: '1.0',
        ...(typeof parentRunId === 'string' && { parentRunId }),
      },
      ...(told === undefined ? [] : [{ type: 'STATE_SNAPSHOT', snapshot: told.state }]),
    ],
    state: (snapshot, delta) => [
      delta === undefined ? { type: 'STATE_SNAPSHOT', snapshot } : { type: 'STATE_DELTA', delta },
    ],
    text: (streamId, text) => go('TEXT_MESSAGE', streamId, text),
    part(id, part) {
      if (part.type !== 'thought') return show(id, part)
      const before = thoughts.get(id) ?? ''
      thoughts.set(id, part.text)
      const delta = part.text.startsWith(before) ? part.text.slice(before.length) : part.text
      return go('REASONING_MESSAGE', id, delta)
    },
    ask(id, { kind, message, subject, schema, options, expires_at: expiresAt }) {
      const isApproval = kind === 'approval' || kind === 'permission'
      const about = isJsonObject(subject) ? subject : {}
      const named = about['tool_call_id']
      const toolCallId = isApproval ? (typeof named === 'string' ? named : `${requestId}.${id}`) : undefined
      const properties = {
        approved: { type: 'boolean' },
        ...(isJsonObject(about['editable']) && { editedArgs: about['editable'] }),
      }
      const choices = Array.isArray(options) ? options.filter(isJsonObject).map((option) => option['id']) : []
      if (toolCallId !== undefined) calls.set(id, { toolCallId, options })
      interrupts.set(id, {
        id: `${requestId}.${id}`,
        reason: isApproval ? 'tool_call' : 'input_required',
        // A helper of the server leaves the words to the page, and other pages have none.
        message: message === '' && isApproval ? `Allow ${String(about['name'])}?` : message,
        ...(toolCallId !== undefined && { toolCallId, metadata: approvalOf(about) }),
        responseSchema: isApproval
          ? { type: 'object', properties, required: ['approved'] }
          : (schema ?? { enum: choices }),
        ...(typeof expiresAt === 'string' && { expiresAt }),
      })
      return toolCallId === undefined ? shut() : [...shut(), ...tool(toolCallId, String(about['name']), about['input'])]
    },
    settle(id, data) {
      const call = calls.get(id)
      if (call === undefined) return []
      const { toolCallId, options } = call
      if (!wasAllowed(data, options)) return [...shut(), ...result(toolCallId, NOT_ALLOWED_RESULT)]
      if (!results.has(toolCallId)) owed.add(toolCallId)
      return []
    },
    warn: (code, message) => [{ type: 'CUSTOM', name: 'warning', value: { code, message } }],
    fail: (code, message) => [...shut(), { type: 'RUN_ERROR', message, code }],
    end(how, asked) {
      if (how === 'failed') return []
      if (how === 'asking')
        return ended({ type: 'interrupt', interrupts: [...asked].flatMap((id) => interrupts.get(id) ?? []) })
      if (how === 'cancelled') return ended({ type: 'cancelled' })
      // A client takes a call without a result for one that goes on.
      return [...shut(), ...[...owed].flatMap((id) => result(id, ALLOWED)), ...ended({ type: 'success' })]
    },
  }
}
