import { TOOL_FAILED } from '../../base/tool-failures.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { modelError, nonEmptyText, parseInput } from './model-error.ts'
import type { ModelOutput } from './model-output.ts'

/** Tools that OpenAI itself carries out. */
const HOSTED = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'tool_search_call',
])

/** Calls with their output in a second item, when OpenAI carries them out. Neither is shown without the other. */
const OUTPUTS: ReadonlyMap<unknown, string> = new Map([
  ['shell_call_output', 'shell'],
  ['apply_patch_call_output', 'apply_patch'],
])

/**
 * What an item shows besides text and thoughts: a tool of OpenAI, or a picture that it made.
 *
 * @param callId names the call to `output`
 * @param hasEnded false for an item that was announced
 */
function showItem(item: JsonObject, callId: string, hasEnded: boolean, output: ModelOutput): AgentOutput[] {
  const { type, name, action, queries, code, arguments: json, result, results, outputs, output: given, error } = item
  const ranIn = OUTPUTS.get(type)
  if (ranIn !== undefined && hasEnded)
    return [
      output.tool(callId, { name: ranIn, result: given, status: item['status'] === 'failed' ? 'failed' : 'complete' }),
    ]
  const listingFailed = type === 'mcp_list_tools' && isPresent(error)
  if (typeof type !== 'string' || !(HOSTED.has(type) || listingFailed) || item['execution'] === 'client') return []
  const input = typeof json === 'string' ? (parseInput(json) ?? json) : (action ?? queries ?? json)
  const call = {
    name: nonEmptyText(name) ?? (listingFailed ? type : type.slice(0, -'_call'.length)),
    arguments: input ?? (typeof code === 'string' ? { code } : hasEnded ? {} : undefined),
  }
  if (!hasEnded || isHostedCallOpen(item)) return [output.tool(callId, { ...call, status: 'running' })]
  if (isPresent(error) || item['status'] === 'failed' || item['status'] === 'incomplete')
    return [output.tool(callId, { ...call, error: error ?? TOOL_FAILED, status: 'failed' })]
  const found = results ?? outputs ?? given
  return [
    output.tool(callId, { ...call, ...(isPresent(found) && { result: found }), status: 'complete' }),
    ...(type === 'image_generation_call' && typeof result === 'string'
      ? [showPicture(result, nonEmptyText(item['output_format']), output)]
      : []),
  ]
}

/** Sources that a text cites. One without a web address is named by the id of its file. */
function showAnnotations(annotations: unknown, output: ModelOutput): AgentOutput[] {
  const all = Array.isArray(annotations) ? annotations.filter(isJsonObject) : []
  return all.flatMap(({ url, title, file_id: file, filename }) => {
    const address =
      nonEmptyText(url) ?? (nonEmptyText(file) === undefined ? undefined : `urn:openai:file:${nonEmptyText(file)}`)
    const source =
      address === undefined
        ? undefined
        : output.source({ url: address, title: nonEmptyText(title) ?? nonEmptyText(filename) ?? nonEmptyText(file) })
    return source ?? []
  })
}

/** The first characters of base64, by the format of the picture. */
const SIGNATURES = { iVBOR: 'png', '/9j/': 'jpeg', UklGR: 'webp', R0lGO: 'gif' }

/** The bytes say what they are; the format that was asked for is next. */
function showPicture(base64: string, format: string | undefined, output: ModelOutput): AgentOutput {
  const [, found = format ?? 'png'] = Object.entries(SIGNATURES).find(([start]) => base64.startsWith(start)) ?? []
  const mediaType = `image/${found === 'jpg' ? 'jpeg' : found}`
  return output.file(mediaType, `data:${mediaType};base64,${base64}`)
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Folds the events of one response, over as many connections as it takes. */
export interface ResponseReader {
  /**
   * What an event shows.
   *
   * @throws AgentError when the event contradicts an earlier one
   */
  read(event: JsonObject): AgentOutput[]
  /**
   * Ends the response: what is still to be shown, and its items in their order.
   *
   * @param response of `response.completed`
   * @throws AgentError when an item has not ended, or is one that nobody carries out
   */
  settle(response: JsonObject): { readonly shown: readonly AgentOutput[]; readonly items: readonly JsonObject[] }
}

/** Events whose text counts even when no event announces or ends their item. */
const TEXT_EVENT = /^response\.(output_text|refusal|content_part|reasoning|reasoning_text|reasoning_summary_\w+)\./

/** @param round the number of the response in its answer */
export function createResponseReader(output: ModelOutput, round: number): ResponseReader {
  const items: Item[] = []
  const text = createResponseText()
  const thoughts = createThoughts(output, round)

  const find = (id: unknown, index: unknown, type = ''): Item | undefined =>
    items.find((item) => item.id !== undefined && item.id === id) ??
    items.findLast(
      (item) => item.index !== undefined && item.index === index && item.ended === undefined && fits(item.type, type),
    )

  const add = (id: unknown, index: unknown, type: string): Item => {
    const item = { id: nonEmptyText(id), index: typeof index === 'number' ? index : undefined, type, ended: undefined }
    items.push(item)
    return item
  }

  /** The call of an MCP server replaces the one that the user has allowed. */
  const callIdOf = (item: Item, whole: JsonObject): string =>
    nonEmptyText(whole['approval_request_id']) ?? `${round}/${items.indexOf(item)}`

  /** Everything except text, which `createResponseText` compares. */
  const end = (item: Item, whole: JsonObject): AgentOutput[] => {
    const before = item.ended
    item.ended = whole
    if (before !== undefined) {
      if (callSignature(before) !== callSignature(whole))
        throw modelError(`it repeats a ${typeOf(whole)} with other words`)
      return []
    }
    if (typeOf(whole) === 'reasoning') return thoughts.endItem(items.indexOf(item), whole)
    return showItem(whole, callIdOf(item, whole), true, output)
  }

  const endText = (item: Item, { content }: JsonObject): AgentOutput[] =>
    listOf(content).flatMap((part, at) => [
      ...present(text.end({ item: items.indexOf(item), index: item.index, part: at }, part['text'] ?? part['refusal'])),
      ...showAnnotations(part['annotations'], output),
    ])

  const readItem = (whole: JsonObject, index: unknown, hasEnded: boolean): AgentOutput[] => {
    const type = typeOf(whole)
    const known = find(whole['id'], index, type)
    const item = known ?? add(whole['id'], index, type)
    if (hasEnded) return [...(type === 'message' ? endText(item, whole) : []), ...end(item, whole)]
    return known === undefined ? showItem(whole, callIdOf(item, whole), false, output) : []
  }

  return {
    read(event) {
      const { type, item: whole, part } = event
      if (typeof type !== 'string') return []
      if (isJsonObject(whole)) return readItem(whole, event['output_index'], type === 'response.output_item.done')
      const isText = TEXT_EVENT.test(type)
      if (event['item_id'] === undefined && !isText) return []
      const { item_id: id, output_index: index, content_index: at } = event
      const item = find(id, index) ?? add(id, index, isText ? '' : (type.split('.')[1] ?? type))
      const ordinal = items.indexOf(item)
      const place = { item: ordinal, index: item.index, part: at }
      switch (type) {
        case 'response.output_text.delta':
        case 'response.refusal.delta':
          return present(text.add(place, event['delta']))
        case 'response.output_text.done':
        case 'response.refusal.done':
          return present(text.end(place, event['text'] ?? event['refusal']))
        case 'response.content_part.done':
          return isJsonObject(part) && part['type'] !== 'reasoning_text'
            ? [
                ...present(text.end(place, part['text'] ?? part['refusal'])),
                ...showAnnotations(part['annotations'], output),
              ]
            : []
        case 'response.output_text.annotation.added':
          return showAnnotations([event['annotation']], output)
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return present(thoughts.add(ordinal, event))
        case 'response.reasoning_summary_text.done':
        case 'response.reasoning_text.done':
          return thoughts.end(ordinal, event)
        default:
          return []
      }
    },
    settle(response) {
      const finals = listOf(response['output'])
      const pairs = pairItems(items, finals)
      const shown = finals.flatMap((final) =>
        end(pairs.get(final) ?? add(final['id'], undefined, typeOf(final)), final),
      )
      shown.push(...present(text.settle(finals)))
      for (const final of finals)
        for (const part of listOf(final['content'])) shown.push(...showAnnotations(part['annotations'], output))
      const open = items.find(({ type, ended }) => ended === undefined && type !== '')
      if (open !== undefined) throw modelError(`its ${open.type} has not ended`)
      const ended = items.map((item) => item.ended).filter((item) => item !== undefined)
      // The order of the response, unless it leaves items out, as gateways do that end it with an empty list.
      return { shown, items: withoutRepeats(ended.length > finals.length ? ended : finals) }
    },
  }
}

function fits(type: string, wanted: string): boolean {
  return type === '' || wanted === '' || type === wanted
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function present(output: AgentOutput | undefined): AgentOutput[] {
  return output === undefined || output === '' ? [] : [output]
}

/** A content part: the ordinal of its item, the item's `output_index`, and the part's `content_index`. */
interface TextPlace {
  readonly item: number
  readonly index: number | undefined
  readonly part: unknown
}

/** Text of one response in the order in which it is shown. Each function returns the text to emit, often empty. */
interface ResponseText {
  add(place: TextPlace, delta: unknown): string
  /** @param whole the text as an event repeats it. Empty or absent: the event does not repeat it */
  end(place: TextPlace, whole: unknown): string
  /** @param items `output` of the response that has ended */
  settle(items: readonly JsonObject[]): string
}

interface Segment {
  readonly place: TextPlace
  shown: string
  isWhole: boolean
}

/** Compares text that was shown piece by piece with the repetitions of it: only what continues the shown text is emitted. */
function createResponseText(): ResponseText {
  const segments: Segment[] = []

  const find = ({ item, part }: TextPlace): Segment | undefined =>
    segments.find(({ place }) => place.item === item && place.part === part)

  const begin = (place: TextPlace): Segment => {
    const last = segments.at(-1)?.place
    if (last !== undefined && isBefore(place, last)) throw modelError('its text is out of order')
    const segment = { place, shown: '', isWhole: false }
    segments.push(segment)
    return segment
  }

  const emit = (segment: Segment, text: string): string => {
    if (text !== '' && segment !== segments.at(-1)) throw modelError('its text is out of order')
    segment.shown += text
    return text
  }

  return {
    add(place, delta) {
      const text = nonEmptyText(delta)
      if (text === undefined) return ''
      const segment = find(place) ?? begin(place)
      // A delta that is late: all of the text is shown.
      return segment.isWhole ? '' : emit(segment, text)
    },
    end(place, whole) {
      const text = nonEmptyText(whole)
      if (text === undefined) return ''
      const segment = find(place) ?? begin(place)
      if (!text.startsWith(segment.shown) || (segment.isWhole && text !== segment.shown)) throw contradiction()
      segment.isWhole = true
      return emit(segment, text.slice(segment.shown.length))
    },
    settle(items) {
      const text = items.flatMap(({ type, content }) => (type === 'message' ? textsOf(content) : [])).join('')
      const shown = segments.map((segment) => segment.shown).join('')
      if (text === '') return ''
      if (!text.startsWith(shown)) throw contradiction()
      return text.slice(shown.length)
    },
  }
}

/** Thoughts of one response. */
interface ResponseThoughts {
  /** @param item the ordinal of its item */
  add(item: number, event: JsonObject): AgentOutput | undefined
  end(item: number, event: JsonObject): AgentOutput[]
  /** Shows the thoughts of an item that no event has shown before. */
  endItem(item: number, whole: JsonObject): AgentOutput[]
}

/** @param round makes the keys of thoughts unique among the responses of one answer */
function createThoughts(output: ModelOutput, round: number): ResponseThoughts {
  const shown = new Map<string, { text: string; hasEnded: boolean }>()

  const think = (key: string, text: string): AgentOutput | undefined => {
    const thought = shown.get(key) ?? { text: '', hasEnded: false }
    shown.set(key, thought)
    if (thought.hasEnded || text === '') return undefined
    thought.text += text
    return output.think(key, text)
  }

  const end = (key: string, whole: unknown): AgentOutput[] => {
    const text = nonEmptyText(whole) ?? ''
    const before = shown.get(key)?.text ?? ''
    const more = text.startsWith(before) ? think(key, text.slice(before.length)) : undefined
    const thought = shown.get(key)
    if (thought === undefined || thought.hasEnded) return []
    thought.hasEnded = true
    return [more, output.thought(key)].filter((each) => each !== undefined)
  }

  const keyOf = (item: number, { summary_index: summary, content_index: content }: JsonObject): string =>
    `${round}/${item}/${typeof summary === 'number' ? `summary ${summary}` : `content ${Number(content ?? 0)}`}`

  return {
    add: (item, event) => think(keyOf(item, event), nonEmptyText(event['delta']) ?? ''),
    end: (item, event) => end(keyOf(item, event), event['text']),
    endItem: (item, { summary, content }) => [
      ...textsOf(summary).flatMap((text, at) => end(keyOf(item, { summary_index: at }), text)),
      ...textsOf(content).flatMap((text, at) => end(keyOf(item, { content_index: at }), text)),
      // Deltas that nothing has repeated.
      ...[...shown].flatMap(([key, { text }]) => (key.startsWith(`${round}/${item}/`) ? end(key, text) : [])),
    ],
  }
}

/** Text of content parts, refusals included. */
function textsOf(content: unknown): string[] {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : []
  return parts.map(({ text, refusal }) => nonEmptyText(text) ?? nonEmptyText(refusal) ?? '')
}

/** By the order of the output. Gateways that number nothing, or everything alike, are taken in the order of their events. */
function isBefore(place: TextPlace, other: TextPlace): boolean {
  if (place.item === other.item)
    return typeof place.part === 'number' && typeof other.part === 'number' && place.part < other.part
  return place.index !== undefined && other.index !== undefined && place.index < other.index
}

function contradiction(): Error {
  return modelError('it repeats its text with other words')
}

/** An item of the output. Some gateways change its id from event to event, and some give all items one index: either finds it. */
interface Item {
  readonly id: string | undefined
  readonly index: number | undefined
  /** Empty when only pieces of its text have arrived. */
  readonly type: string
  /** The item as the response repeats it at its end. Undefined: it has not ended. */
  ended: JsonObject | undefined
}

/** Items of the events and of the end that are the same one: by id, else the next one of its kind. */
function pairItems(items: readonly Item[], finals: readonly JsonObject[]): ReadonlyMap<JsonObject, Item> {
  const pairs = new Map<JsonObject, Item>()
  const free = new Set(items)
  const pairWhere = (isSame: (item: Item, final: JsonObject) => boolean): void => {
    for (const final of finals) {
      if (pairs.has(final)) continue
      const item = [...free].find((each) => isSame(each, final))
      if (item === undefined) continue
      pairs.set(final, item)
      free.delete(item)
    }
  }
  pairWhere(({ id }, final) => id !== undefined && id === final['id'])
  pairWhere(
    ({ ended }, final) => nonEmptyText(final['call_id']) !== undefined && ended?.['call_id'] === final['call_id'],
  )
  pairWhere(({ type, ended }, final) => (ended === undefined ? type : typeOf(ended)) === typeOf(final))
  return pairs
}

/** A gateway may end one call under two ids, and one call must never run twice. */
function withoutRepeats(items: readonly JsonObject[]): JsonObject[] {
  const calls = new Map<unknown, string>()
  return items.filter((item) => {
    if (item['type'] !== 'function_call') return true
    const { call_id: callId } = item
    const known = calls.get(callId)
    if (known !== undefined && known !== callSignature(item))
      throw modelError(`it gave two calls the id ${String(callId)}`)
    calls.set(callId, callSignature(item))
    return known === undefined
  })
}

/** What must not change when an item is repeated: the call that somebody outside of OpenAI carries out. */
function callSignature({ type, name, call_id: callId, arguments: json, input }: JsonObject): string {
  const isCall = type === 'function_call' || type === 'custom_tool_call' || type === 'mcp_approval_request'
  return JSON.stringify(isCall ? [type, name, callId, json, input] : [type])
}

export function typeOf({ type }: JsonObject): string {
  return nonEmptyText(type) ?? 'item without a type'
}

/** Items that are whole when they have ended. */
const CONTENT = new Set(['message', 'reasoning', 'compaction', 'mcp_list_tools'])

/** Calls that the app and the user carry out through the helper. */
const CARRIED_OUT = new Set(['function_call', 'mcp_approval_request'])

/** Calls that OpenAI carries out before the item ends. */
const HOSTED_ITEMS = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
])

/** Calls that OpenAI or the app carries out: theirs is a second item when OpenAI did. */
const OUTPUT_ITEMS: ReadonlyMap<string, string> = new Map([
  ['shell_call', 'shell_call_output'],
  ['apply_patch_call', 'apply_patch_call_output'],
  ['tool_search_call', 'tool_search_output'],
])

const HALF = new Set(['in_progress', 'incomplete'])

const RUNNING = new Set(['in_progress', 'searching', 'interpreting', 'calling'])

/**
 * Checks that nothing in a response is left to do but the calls of functions and the approvals.
 *
 * @throws AgentError that names the item
 */
export function checkSettled(items: readonly JsonObject[]): void {
  for (const item of items) {
    const [type, status] = [typeOf(item), nonEmptyText(item['status']) ?? 'completed']
    if (CONTENT.has(type) || CARRIED_OUT.has(type)) {
      if (HALF.has(status)) throw modelError(`its ${type} is ${status}`)
      if (
        type === 'function_call' &&
        (nonEmptyText(item['call_id']) === undefined || nonEmptyText(item['name']) === undefined)
      )
        throw modelError('its function_call has no id or no name')
      if (type === 'mcp_approval_request' && nonEmptyText(item['id']) === undefined)
        throw modelError('its mcp_approval_request has no id')
    } else if (HOSTED_ITEMS.has(type)) {
      if (isHostedCallOpen(item)) throw modelError(`its ${type} is ${status}`)
    } else if (!hasOutput(item, items)) throw modelError(`${type} is an item that fromOpenAi cannot carry out`)
  }
}

/** Whether a call that OpenAI carries out has not ended, by its own status. */
function isHostedCallOpen({ status, result }: JsonObject): boolean {
  // A picture may keep this status to the end.
  if (status === 'generating') return nonEmptyText(result) === undefined
  return typeof status === 'string' && RUNNING.has(status)
}

function hasOutput(item: JsonObject, items: readonly JsonObject[]): boolean {
  const type = typeOf(item)
  const isHostedSearch = item['execution'] === 'server'
  const pairs = [...OUTPUT_ITEMS].filter(([call, result]) => type === call || type === result)
  return pairs.some(([call, result]) => {
    const other = type === call ? result : call
    return isHostedSearch || items.some((each) => typeOf(each) === other && each['call_id'] === item['call_id'])
  })
}
