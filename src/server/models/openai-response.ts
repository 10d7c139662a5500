import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { modelError } from './model-error.ts'
import type { ModelOutput } from './model-output.ts'
import { callSignature, pairItems, typeOf, withoutRepeats, type Item } from './openai-items.ts'
import { createResponseText, createThoughts } from './openai-text.ts'
import { showAnnotations, showItem } from './show-openai-item.ts'
import { nonEmptyText } from './vendor-json.ts'

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

  /** Everything but text, which `createResponseText` compares by itself. */
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
