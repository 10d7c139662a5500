import type {
  AgentPart,
  Citation,
  MediaItem,
  ProgressStatus,
  ToolCallStatus,
  ViewHint,
} from '../../../seam/agent-event.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import { canonicalUuid } from '../values/scalars.ts'
import type { PresentationType } from './presentation-types.ts'

/** A presentation event as a neutral part. Without `partId` the event brought no id of its own. */
export interface TranslatedEvent {
  readonly partId?: string | undefined
  readonly part: AgentPart
}

/**
 * Translates the payload of an EVENT packet, of any generation, into a part (CAP sections 3.3 and 7,
 * rows 20 to 23). Total: whatever the object, it returns a part and never throws. What it has no
 * type for, or whose data do not fit its type, becomes an `unknown` part that keeps it all.
 */
export function toPart(event: JsonObject): TranslatedEvent {
  try {
    const { type, block_type, id } = event
    const name = typeof type === 'string' ? type : typeof block_type === 'string' ? `${block_type}_block` : ''
    const partId = typeof id === 'string' && id !== '' ? (canonicalUuid(id) ?? id) : undefined
    const part = READERS.get(name.toUpperCase())?.(dataOf(event)) ?? {
      type: 'unknown',
      name: name === '' ? 'event' : name,
      raw: event,
    }
    return { partId, part }
  } catch {
    // Only an object that is not JSON, such as one with throwing getters, comes here.
    return { part: { type: 'unknown', name: 'event', raw: event } }
  }
}

/** Later events wrap their data; the flat ones of v0.15 to v0.17 and the blocks of G0 are their data. */
function dataOf(event: JsonObject): JsonObject {
  if (event.block_type !== undefined && event.type === undefined) return event
  if (isJsonObject(event.data)) return event.data
  return typeof event.data === 'string' ? { content: event.data } : event
}

type PartReader = (data: JsonObject) => AgentPart | undefined

/** How each type of G1 is read. */
const PRESENTATION_READERS: Readonly<Record<PresentationType, PartReader>> = {
  THOUGHT_TRACE: readThought,
  CITATION_BLOCK: readCitations,
  PROGRESS_INDICATOR: readProgress,
  MEDIA_CAROUSEL: readMedia,
  MARKDOWN_BLOCK: readMarkdown,
}

/** With the names of other generations, and those that are written without being part of G1. */
const READERS: ReadonlyMap<string, PartReader> = new Map(
  Object.entries({
    ...PRESENTATION_READERS,
    THOUGHT_BLOCK: readThought,
    CITATION: readCitations,
    USER_ERROR: readNotice,
    ERROR_BLOCK: readNotice,
    DATA_BLOCK: readData,
    ARTIFACT: readArtifact,
    ARTIFACT_GENERATED: readArtifact,
    TOOL_CALL: readToolCall,
    SAID: readSaid,
  }),
)

function readThought(data: JsonObject): AgentPart | undefined {
  const text = firstText(data, ['thought', 'content', 'text'])
  if (text === undefined) return undefined
  const status = data.status === 'IN_PROGRESS' ? 'running' : data.status === 'COMPLETE' ? 'complete' : undefined
  return { type: 'thought', text, status }
}

/** G1 lists `citations`, G2 `items`, v0.15 sends one flat citation (row 21). */
function readCitations(data: JsonObject): AgentPart | undefined {
  const list = data.citations ?? data.items ?? (data.uri === undefined ? undefined : [data])
  const citations = readList(list, readCitation)
  return citations && { type: 'citations', citations }
}

function readCitation(item: JsonObject): Citation | undefined {
  const uri = firstText(item, ['uri', 'url']) ?? ''
  const title = firstText(item, ['title']) ?? uri
  const sourceId = firstText(item, ['source_id', 'id']) ?? uri
  if (title === '' && sourceId === '') return undefined
  const { confidence, indices } = item
  return {
    sourceId,
    uri,
    title,
    snippet: firstText(item, ['snippet']),
    confidence: isFinite(confidence) ? clampFraction(confidence) : undefined,
    text: firstText(item, ['text']),
    indices: Array.isArray(indices) && indices.every(isFinite) ? indices : undefined,
  }
}

const STATUSES: ReadonlyMap<unknown, ProgressStatus> = new Map([
  ['pending', 'pending'],
  ['running', 'running'],
  ['complete', 'complete'],
  ['failed', 'failed'],
])

function readProgress(data: JsonObject): AgentPart | undefined {
  const { label, status, progress_percent: percent } = data
  const known = typeof status === 'string' ? STATUSES.get(status.toLowerCase()) : undefined
  if (typeof label !== 'string' || known === undefined) return undefined
  return { type: 'progress', label, status: known, fraction: isFinite(percent) ? fractionOf(percent) : undefined }
}

/** Documented as 0 to 1, yet the name invites 45 for 45 % (row 22). */
function fractionOf(percent: number): number {
  return clampFraction(percent > 1 ? percent / 100 : percent)
}

function readMedia(data: JsonObject): AgentPart | undefined {
  const items = readList(data.items, readMediaItem)
  return items && { type: 'media', items }
}

function readMediaItem(item: JsonObject): MediaItem | undefined {
  if (typeof item.url !== 'string') return undefined
  return { url: item.url, mimeType: firstText(item, ['mime_type']) ?? '', alt: firstText(item, ['alt_text']) }
}

/** Only G2 fixed the key (`content`); G1 gave no model. */
function readMarkdown(data: JsonObject): AgentPart | undefined {
  const content = firstText(data, ['content', 'markdown', 'text'])
  return content === undefined ? undefined : { type: 'markdown', content }
}

/** Codes are numbers in the model and words in the documents (row 23). */
function readNotice(data: JsonObject): AgentPart | undefined {
  const message = firstText(data, ['message', 'error', 'user_message'])
  if (message === undefined) return undefined
  const { code, domain } = data
  const retryable = data.retryable ?? data.recoverable
  return {
    type: 'notice',
    message,
    code: typeof code === 'string' || isFinite(code) ? code : undefined,
    domain: typeof domain === 'string' ? domain : undefined,
    retryable: typeof retryable === 'boolean' ? retryable : undefined,
    details: data.technical_details ?? data.details ?? undefined,
  }
}

const HINTS: ReadonlySet<unknown> = new Set<ViewHint>(['TABLE', 'JSON', 'LIST', 'KEY_VALUE'])

function readData(data: JsonObject): AgentPart | undefined {
  if (data.data === undefined) return undefined
  const hint = data.view_hint ?? 'JSON'
  // The set holds exactly the view hints.
  return { type: 'data', data: data.data, viewHint: HINTS.has(hint) ? (hint as ViewHint) : undefined }
}

function readArtifact(data: JsonObject): AgentPart | undefined {
  const artifactId = firstText(data, ['artifact_id'])
  const url = firstText(data, ['url'])
  if (artifactId === undefined && url === undefined) return undefined
  return {
    type: 'artifact',
    artifactId,
    url,
    mimeType: firstText(data, ['mime_type']),
    artifactType: firstText(data, ['artifact_type']),
  }
}

/** No model names them: these are the words that are written. */
const TOOL_STATUSES: ReadonlyMap<string, ToolCallStatus> = new Map([
  ...['preparing', 'waiting', 'denied'].map((word) => [word, word as ToolCallStatus] as const),
  ...['pending', 'started', 'running', 'in_progress'].map((word) => [word, 'running'] as const),
  ...['complete', 'completed', 'done', 'finished', 'success', 'succeeded'].map((word) => [word, 'complete'] as const),
  ...['failed', 'failure', 'error', 'errored'].map((word) => [word, 'failed'] as const),
])

/** G4 leaves the object free; these are common names. Its status takes precedence over its content. */
function readToolCall(data: JsonObject): AgentPart | undefined {
  const name = firstText(data, ['name', 'tool_name', 'tool'])
  if (name === undefined) return undefined
  const result = data.result ?? data.output ?? undefined
  const error = data.error ?? undefined
  const input = data.arguments ?? data.args ?? data.input
  const said = typeof data.status === 'string' ? TOOL_STATUSES.get(data.status.toLowerCase()) : undefined
  const status = said ?? (error === undefined ? (result === undefined ? 'running' : 'complete') : 'failed')
  return { type: 'tool-call', name, input, output: status === 'failed' ? (error ?? result) : result, status }
}

/** A message that the user sent into the running answer, as the agent received it. */
function readSaid(data: JsonObject): AgentPart | undefined {
  return typeof data.text === 'string' ? { type: 'said', text: data.text, status: 'sent' } : undefined
}

/** All items or none: a list with holes would hide that something could not be read. */
function readList<T>(list: unknown, read: (item: JsonObject) => T | undefined): T[] | undefined {
  if (!Array.isArray(list)) return undefined
  const items: T[] = []
  for (const entry of list) {
    const item = isJsonObject(entry) ? read(entry) : undefined
    if (item === undefined) return undefined
    items.push(item)
  }
  return items
}

function firstText(data: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = data[key]
    if (typeof value === 'string') return value
  }
  return undefined
}

function isFinite(value: unknown): value is number {
  return Number.isFinite(value)
}

function clampFraction(value: number): number {
  return Math.min(1, Math.max(0, value))
}
