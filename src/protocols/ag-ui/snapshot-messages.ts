import { isString } from '../../base/guards.ts'
import { type JsonObject, isJsonObject } from '../../base/json-object.ts'
import { type AgUiMessage, type AgUiToolCall, contentText, type AgUiContentPart } from './messages.ts'
import { readContent } from './messages.ts'
import { ValidationError } from '../../base/format/validation-error.ts'
import type { Deviation } from './events.ts'

/** Types of parts with a source; others are left out. */
const MEDIA = /^(?:image|audio|video|document)$/

/**
 * The parts of a message of a snapshot, as AG-UI 1.0 has them.
 *
 * @throws ValidationError
 */
function readParts(content: readonly unknown[]): AgUiContentPart[] {
  // Servers on the way to 1.0 wrote each file twice, in the old form and in the new.
  const known = new Set(content.filter(isJsonObject).map(fileIn))
  return content.flatMap((part: unknown) => {
    if (!isJsonObject(part)) return []
    return part['type'] === 'binary' ? binaryPart(part).filter((own) => !known.has(fileIn(own))) : readPart(part)
  })
}

/** What file a part is, whatever order its members have. */
function fileIn({ type, source, metadata }: JsonObject): string {
  const { type: kind, value }: JsonObject = isJsonObject(source) ? source : {}
  return JSON.stringify([type, kind, value, isJsonObject(metadata) ? metadata['filename'] : undefined])
}

function readPart(part: JsonObject): AgUiContentPart[] {
  const { type, text, source } = part
  if (type === 'text') {
    if (isString(text)) return [{ ...part, type, text }]
    throw new ValidationError('a text part has no text')
  }
  if (!isString(type) || !MEDIA.test(type)) return []
  if (isJsonObject(source) && isString(source['value'])) return [{ ...part, type }]
  throw new ValidationError(`a part ${JSON.stringify(type)} has no source`)
}

/** A file in the form before 1.0: bytes, an address, or the handle of a provider. */
function binaryPart({ mimeType, data, url, id, filename }: JsonObject): AgUiContentPart[] {
  const [type, value] =
    [
      ['data', data],
      ['url', url],
      ['file', id],
    ].find(([, each]) => isString(each) && each !== '') ?? []
  if (!isString(mimeType) || value === undefined) return []
  const [, media = 'document'] = /^(image|audio|video)\//.exec(mimeType) ?? []
  const named = isString(filename) ? { metadata: { filename } } : {}
  return [{ type: media, source: { type, value, mimeType }, ...named }]
}

const ROLES: ReadonlySet<unknown> = new Set([
  'developer',
  'system',
  'user',
  'assistant',
  'tool',
  'reasoning',
  'activity',
])
const TEXTS = ['name', 'toolCallId', 'error', 'encryptedValue', 'activityType', 'subagentRunId'] as const

/**
 * A message of a snapshot or of a disk. Undefined for one of a role that is not known, which is left out.
 *
 * @throws ValidationError
 */
export function readMessage(value: unknown, deviate: Deviation): AgUiMessage | undefined {
  if (!isJsonObject(value)) throw new ValidationError('a message is not an object')
  const { id, role, content, toolCalls, metadata } = value
  if (!isString(id)) throw new ValidationError('a message has no id')
  if (!ROLES.has(role)) return undefined
  if (role === 'tool' && !isString(value['toolCallId'])) throw new ValidationError('a result has no toolCallId')
  if (content === null) deviate('the content of a message is null')
  const texts = Object.fromEntries(
    TEXTS.flatMap((name) => {
      const text = value[name]
      return isString(text) ? [[name, text]] : []
    }),
  )
  return {
    id,
    // One of the roles above.
    role: role as AgUiMessage['role'],
    ...contentOf(role, content ?? undefined, deviate),
    ...(Array.isArray(toolCalls) && toolCalls.length > 0 && { toolCalls: toolCalls.map(readCall) }),
    ...texts,
    ...(isJsonObject(metadata) && { metadata }),
  }
}

/** Servers refuse a thread in which a content is missing, or is parts where it has to be text. */
function contentOf(role: unknown, content: unknown, deviate: Deviation): Pick<AgUiMessage, 'content'> {
  if (content === undefined) {
    if (role === 'assistant' || role === 'activity') return {}
    deviate('a message has no content')
    return { content: '' }
  }
  const own =
    Array.isArray(content) && role !== 'activity' ? readParts(content) : readContent(content, role === 'activity')
  if (!Array.isArray(own) || role === 'user' || role === 'tool') return { content: own }
  deviate('the content of a message is parts')
  return { content: contentText(own) }
}

function readCall(call: unknown): AgUiToolCall {
  const { id, function: tool, encryptedValue, metadata }: JsonObject = isJsonObject(call) ? call : {}
  const { name, arguments: input = '' }: JsonObject = isJsonObject(tool) ? tool : {}
  if (!isString(id) || !isString(name) || !isString(input))
    throw new ValidationError('a message has a call that is none')
  return {
    id,
    type: 'function',
    function: { name, arguments: input },
    ...(isString(encryptedValue) && { encryptedValue }),
    ...(isJsonObject(metadata) && { metadata }),
  }
}
