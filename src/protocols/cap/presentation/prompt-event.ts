import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { AgentEvent } from '../../../seam/agent-event.ts'
import type { Prompt, PromptEnd, PromptKind, PromptOption, PromptSubject } from '../../../seam/prompt.ts'
import { readAnswer } from './prompt-answer.ts'

const KINDS: ReadonlySet<PromptKind> = new Set<PromptKind>(['approval', 'choice', 'form', 'sign-in', 'permission'])
const ENDS: ReadonlySet<PromptEnd> = new Set<PromptEnd>(['answered', 'declined', 'cancelled', 'expired', 'withdrawn'])
const OPTION_KINDS: ReadonlySet<PromptOption['kind']> = new Set<PromptOption['kind']>([
  'allow-once',
  'allow-always',
  'reject-once',
  'reject-always',
  'neutral',
])

/**
 * Reads the data of a PROMPT event (docs/cap.md, "Control endpoints"). Undefined when it lacks what a prompt needs: it is shown as
 * an unknown event then, and cannot be answered.
 *
 * @param ahead how many milliseconds the clock of this device is ahead of the server's
 */
export function readPromptEvent(
  id: unknown,
  streamId: string,
  data: JsonObject,
  ahead: number,
): AgentEvent | undefined {
  if (typeof id !== 'string' || id === '') return undefined
  const { state = 'open', answer_id } = data
  if (isIn(ENDS, state)) {
    const answerId = text(answer_id)
    return { type: 'prompt-settled', streamId, promptId: id, state, answerId, answer: readAnswer(data.answer) }
  }
  const { kind, message, schema, initial, expires_at, on_expiry } = data
  if (state !== 'open' || typeof message !== 'string') return undefined
  const subject = data.subject === undefined ? undefined : readSubject(data.subject)
  const options = data.options === undefined ? undefined : readOptions(data.options)
  // One that is there and cannot be read must not be shown as if it were not there.
  const isUnclear = (data.subject !== undefined && !subject) || (data.options !== undefined && !options)
  const prompt: Prompt = {
    id,
    streamId,
    kind: isIn(KINDS, kind) && !isUnclear ? kind : 'other',
    message,
    subject,
    options,
    schema: isJsonObject(schema) ? schema : undefined,
    initial,
    url: text(data.url),
    expiresAt: timeOf(expires_at, ahead),
    onExpiry: on_expiry === 'default' || on_expiry === 'cancel' ? on_expiry : 'unknown',
    group: text(data.group),
    answeredBy: 'command',
    state: 'open',
  }
  return { type: 'prompt', prompt }
}

function readSubject(value: unknown): PromptSubject | undefined {
  if (!isJsonObject(value)) return undefined
  const { name, digest, editable, input, tool_call_id } = value
  if (typeof name !== 'string' || typeof digest !== 'string') return undefined
  return {
    name,
    digest,
    input,
    editable: isJsonObject(editable) ? editable : undefined,
    toolCallId: text(tool_call_id),
  }
}

/** All or none: an option that is missing could be the one that refuses. */
function readOptions(value: unknown): readonly PromptOption[] | undefined {
  if (!Array.isArray(value)) return undefined
  const options: PromptOption[] = []
  for (const option of value) {
    if (!isJsonObject(option)) return undefined
    const { id, label, kind, ttl_ms } = option
    if (typeof id !== 'string' || typeof label !== 'string' || !isIn(OPTION_KINDS, kind)) return undefined
    const ttlMs = typeof ttl_ms === 'number' && ttl_ms >= 0 ? ttl_ms : undefined
    options.push({ id, label, kind, description: text(option.description), grants: text(option.grants), ttlMs })
  }
  return new Set(options.map(({ id }) => id)).size === options.length ? options : undefined
}

function timeOf(value: unknown, ahead: number): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) + ahead : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isIn<Value>(known: ReadonlySet<Value>, value: unknown): value is Value {
  const anything: ReadonlySet<unknown> = known
  return anything.has(value)
}
