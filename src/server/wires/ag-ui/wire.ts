import { NOT_ALLOWED } from '../../../base/tool-failures.ts'
import { type Digest, toUuid } from '../../../base/digest.ts'
import { isJsonObject, type JsonObject } from '../../../base/json-object.ts'
import type { Attachment } from '../../../seam/chat-input.ts'
import type { AgentPart } from '../../../seam/agent-event.ts'
import { canonicalUuid } from '../../../protocols/cap/values/scalars.ts'
import { invalidRequest, invalidBody } from '../../http/incoming-call.ts'
import { wasAllowed } from '../prompt-answer.ts'
import { fileOf } from '../wire-file.ts'
import type { ForeignAnswer, ForeignCall, RequestHeader, Wire, WireWriter } from '../wire.ts'
import { isString } from '../../../base/guards.ts'

/** What is wrong with a value, and where in it. Undefined: nothing. */
type Check = (value: unknown) => Issue | undefined

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

const issue = (message: string): Issue => ({ path: [], message })
const at = (key: PropertyKey, found: Issue | undefined): Issue | undefined =>
  found && { ...found, path: [key, ...found.path] }

const text: Check = (value) => (isString(value) ? undefined : issue('must be a string'))
const object: Check = (value) => (isJsonObject(value) ? undefined : issue('must be an object'))
const status: Check = (value) =>
  value === 'resolved' || value === 'cancelled' ? undefined : issue('must be "resolved" or "cancelled"')
/** Older clients write null for a member that is absent. */
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null ? undefined : check(value)
const list =
  (item: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return issue('must be an array')
    const place = value.findIndex((each) => item(each) !== undefined)
    return place === -1 ? undefined : at(place, item(value[place]))
  }
const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (!isJsonObject(value)) return issue('must be an object')
    for (const [key, check] of Object.entries(checks)) {
      const found = at(key, check(value[key]))
      if (found !== undefined) return found
    }
    return undefined
  }

/** Parts are open to types of later versions; only text is read of them. */
const part: Check = (value) =>
  members({ type: text, ...(isJsonObject(value) && value['type'] === 'text' && { text }) })(value)
const parts: Check = (value) => {
  if (isString(value)) return undefined
  return Array.isArray(value) ? list(part)(value) : issue('must be a string or an array of content parts')
}
const toolCall = members({ id: text, function: members({ name: text, arguments: text }) })

/** The members of a message, by its role. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  developer: { content: text },
  system: { content: text },
  user: { content: parts },
  assistant: { content: optional(text), toolCalls: optional(list(toolCall)) },
  tool: { content: parts, toolCallId: text },
  reasoning: { content: text },
  activity: { content: object },
}

const membersOf = ({ role }: JsonObject): Readonly<Record<string, Check>> | undefined =>
  isString(role) && Object.hasOwn(MESSAGES, role) ? MESSAGES[role] : undefined

const message: Check = (value) => members({ id: text, role: text, ...(isJsonObject(value) && membersOf(value)) })(value)

const input = members({
  threadId: text,
  runId: text,
  parentRunId: optional(text),
  messages: list(message),
  tools: optional(list(members({ name: text, description: text }))),
  context: optional(list(members({ description: text, value: text }))),
  resume: optional(list(members({ interruptId: text, status }))),
})

/** What is read of the body of an AG-UI run. */
interface RunAgentInput {
  readonly threadId: string
  readonly runId: string
  /** Those with a role of this version. */
  readonly messages: readonly JsonObject[]
  readonly resume: readonly JsonObject[]
}

/**
 * Reads the body of an AG-UI run (AG-UI 1.0, RunAgentInput). Messages of unknown roles are left out.
 *
 * @throws HttpRefusal 400 that names the member
 */
function readRunAgentInput(body: JsonObject): RunAgentInput {
  const found = input(body)
  if (found !== undefined) throw invalidBody('RunAgentInput of AG-UI', [found])
  // Its members were checked by the table above.
  const { threadId, runId, messages, resume } = body as unknown as RunAgentInput
  return { threadId, runId, messages: messages.filter(membersOf), resume: resume ?? [] }
}

/**
 * AG-UI 1.0. A run that asks ends with an interrupt of the id `<run>.<prompt>`; the next run answers it by `resume`, and continues with the
 * same run of the agent. Ids of messages begin with the id of that run.
 */
export const agUiWire: Wire = { headers: {}, trailer: '', read, writer }

/** Results of calls that the agent says nothing of. */
const ALLOWED = JSON.stringify({ approved: true })
const NOT_ALLOWED_RESULT = JSON.stringify({ error: NOT_ALLOWED })

async function read(body: JsonObject, header: RequestHeader, digest: Digest): Promise<ForeignCall> {
  const { threadId, runId, messages, resume } = readRunAgentInput(body)
  const { state, forwardedProps } = body
  // Of all that is forwarded nothing else is kept: it may hold keys of the user.
  const { metadata: sent } = isJsonObject(forwardedProps) ? forwardedProps : {}
  // A run may begin without a message of the user.
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const conversationId = canonicalUuid(threadId) ?? toUuid(await digest(JSON.stringify(['capstan session', threadId])))
  const { content, metadata } = messages[asked] ?? {}
  const before = (asked === -1 ? messages : messages.slice(0, asked)).findLast(({ role }) => role === 'assistant')
  const seen = /\/(\d+)$/.exec(header('last-event-id') ?? '')?.[1]
  // Clients that have none write an empty object.
  const hasState = state !== undefined && !(isJsonObject(state) && Object.keys(state).length === 0)
  const call = {
    conversationId,
    text: textOf(content),
    files: filesOf(content),
    metadata: { ...(isJsonObject(sent) && sent), ...(isJsonObject(metadata) && metadata) },
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
      // A client takes a call without a result for one that continues.
      return [...shut(), ...[...owed].flatMap((id) => result(id, ALLOWED)), ...ended({ type: 'success' })]
    },
  }
}
