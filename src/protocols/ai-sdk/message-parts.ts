import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { AgentPart, Citation, SnapshotPart, ToolCallStatus } from '../../seam/agent-event.ts'
import { STATE_PART_ID, statePart } from '../../seam/state-part.ts'
import type { UiPart, UiToolState } from './messages.ts'
import { isToolPart, rawInputOf, toolNameOf } from './messages.ts'

const STATUS: Readonly<Record<UiToolState, ToolCallStatus>> = {
  'input-streaming': 'preparing',
  'input-available': 'running',
  'approval-requested': 'waiting',
  'approval-responded': 'running',
  'output-available': 'complete',
  'output-error': 'failed',
  'output-denied': 'denied',
}

const MEDIA = /^(?:image|audio|video)\//
const SOURCES = 'sources'

/** What else is known of a part. */
export interface PartContext {
  /** A call that waits for the user to give its output. @default false */
  readonly isAwaited?: boolean | undefined
  /** Id of the edit of the shared state that the run has taken along. Absent: none. */
  readonly stateEdit?: string | undefined
}

export const textId = (index: number): string => `text-${index}`
/** The id of the part of a call, by the index of the call in its message. */
export const callId = (index: number): string => `tool-${index}`

/** Index of the call in its message, of an id that `callId` made. */
export function callIndex(partId: string | undefined): number {
  const [, index] = /^tool-(\d+)$/.exec(partId ?? '') ?? []
  return index === undefined ? -1 : Number(index)
}

/** The parts that the page shows for the part of a UIMessage at this index; ids are by the index. */
export function shownParts(
  parts: readonly UiPart[],
  index: number,
  from: number,
  context: PartContext = {},
): SnapshotPart[] {
  const part = parts[index]
  if (part === undefined) return []
  const { type } = part
  // The AI SDK has no word for a shared state: this is how the server of this package says it.
  if (type === 'data-state' && part.id === STATE_PART_ID)
    return [{ partId: STATE_PART_ID, part: statePart(part.data, context.stateEdit) }]
  if (type === 'text')
    return [{ partId: textId(index), part: { type, text: part.text ?? '' } }, ...citedParts(part, index)]
  if (isToolPart(part)) return [{ partId: callId(index), part: toolCall(part, context) }]
  if (type === 'source-url' || type === 'source-document')
    return [{ partId: SOURCES, part: { type: 'citations', citations: parts.slice(from).flatMap(sourceOf) } }]
  const shown = otherPart(part)
  return shown === undefined ? [] : [{ partId: `${shown.type}-${index}`, part: shown }]
}

function toolCall(part: UiPart, { isAwaited = false }: PartContext): AgentPart {
  const { state = 'input-available', input, output, errorText, preliminary, approval } = part
  const isRecord = state === 'approval-requested' && approval?.isAutomatic === true
  // Only calls have a tool's state; `streaming` and `done` are those of texts.
  const status = isAwaited ? 'waiting' : isRecord || preliminary === true ? 'running' : STATUS[state as UiToolState]
  return {
    type: 'tool-call',
    name: toolNameOf(part),
    status,
    ...(input !== undefined && { input }),
    ...(state === 'input-streaming' && { partialInput: rawInputOf(part) }),
    ...(state === 'output-available' && { output }),
    ...(state === 'output-error' && { output: errorText }),
  }
}

function otherPart(part: UiPart): AgentPart | undefined {
  const { type, text = '', state, url = '', mediaType = '', filename } = part
  switch (type) {
    case 'reasoning':
      return {
        type: 'thought',
        text,
        status: state === 'streaming' ? 'running' : 'complete',
        ...(text === '' && state === 'done' && { redacted: true }),
      }
    case 'file':
    case 'reasoning-file':
      return MEDIA.test(mediaType)
        ? { type: 'media', items: [{ url, mimeType: mediaType }] }
        : { type: 'artifact', url, mimeType: mediaType, ...(filename !== undefined && { name: filename }) }
    case 'custom':
      return { type: 'unknown', name: part.kind ?? type, raw: part }
    case 'steering-message':
      return { type: 'unknown', name: type, raw: part }
    default:
      return type.startsWith('data-') ? { type: 'data', data: part.data, name: type.slice('data-'.length) } : undefined
  }
}

function sourceOf({ type, sourceId = '', url = '', title, filename }: UiPart): Citation[] {
  if (type === 'source-url') return [{ sourceId, uri: url, title: title ?? url }]
  if (type === 'source-document') return [{ sourceId, uri: '', title: title ?? filename ?? '' }]
  return []
}

/** The words of a text that its sources support. */
function citedParts({ citations = [] }: UiPart, index: number): SnapshotPart[] {
  const all = citations.flatMap(citationOf)
  return all.length === 0 ? [] : [{ partId: `cited-${index}`, part: { type: 'citations', citations: all } }]
}

function citationOf({ source, citedText, startIndex, endIndex }: JsonObject): Citation[] {
  if (!isJsonObject(source)) return []
  const { id, url, title } = source
  return [
    {
      sourceId: textOf(id),
      uri: textOf(url),
      title: textOf(title) || textOf(url),
      ...(typeof citedText === 'string' && { text: citedText }),
      ...(typeof startIndex === 'number' && typeof endIndex === 'number' && { indices: [startIndex, endIndex] }),
    },
  ]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
