import { TOOL_FAILED } from '../../base/tool-failures.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { modelError } from './model-error.ts'
import type { ModelOutput } from './model-output.ts'
import { callSignature, pairItems, typeOf, withoutRepeats, type Item, isHostedCallOpen } from './openai-items.ts'
import { createResponseText, createThoughts } from './openai-text.ts'
import { nonEmptyText, parseInput } from './vendor-json.ts'

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
