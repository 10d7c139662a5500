import { TOOL_FAILED } from '../../base/tool-failures.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { canonicalJson } from '../run/json-schema-check.ts'
import { modelError, nonEmptyText, parseInput } from './model-error.ts'
import type { ModelOutput } from './model-output.ts'

/** A message that has ended. */
export interface WholeMessage {
  /** In order of arrival, as they go back to Anthropic. */
  readonly blocks: readonly JsonObject[]
  readonly calls: readonly { readonly callId: string; readonly name: string; /** JSON text. */ readonly json: string }[]
  readonly usage: unknown
}

/** Folds the events of one message. */
export interface MessageReader {
  /**
   * What an event shows.
   *
   * @throws AgentError for an event that does not fit the ones before
   */
  read(event: JsonObject): AgentOutput[]
  /** Undefined while the message has given none. */
  readonly stopReason: string | undefined
  /** @throws AgentError when a block has not ended, or is of a type that the helper does not know */
  settle(): WholeMessage
}

/** Calls of tools that Anthropic carries out, until their result arrives: in the same message, or after a pause in a later one. */
export type ServerCalls = Map<string, string>

interface Block {
  readonly type: string
  readonly content: JsonObject
  /** The input of a call, in pieces of JSON text. Undefined while none has arrived. */
  json: string | undefined
  state: 'open' | 'ended'
}

/** Which deltas continue a block. A block of another known type is whole when it begins. */
const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
  mcp_tool_use: ['input_json_delta'],
  compaction: ['compaction_delta'],
}
const WHOLE = new Set(['redacted_thinking', 'container_upload', 'mcp_tool_listing', 'fallback'])

/** @param round the number of the message in its answer */
export function createMessageReader(output: ModelOutput, round: number, serverCalls: ServerCalls): MessageReader {
  const blocks: Block[] = []
  /** The last block that began under an index of the server: gateways use one twice, or leave one out. */
  const byIndex = new Map<unknown, Block>()
  let stopReason: string | undefined
  let usage: unknown
  let hasBegun = false
  /** The last block whose text was shown. */
  let lastText = 0

  const keyOf = (block: Block): string => `${round}/${blocks.indexOf(block)}`

  const begin = (index: unknown, content: JsonObject): AgentOutput[] => {
    const type = nonEmptyText(content['type']) ?? 'block without a type'
    const isContinued = Object.hasOwn(DELTAS, type)
    const block: Block = { type, content: { ...content }, json: undefined, state: isContinued ? 'open' : 'ended' }
    blocks.push(block)
    byIndex.set(index, block)
    const { id, text, thinking, citations } = content
    if (isServerCall(type)) {
      const callId = nonEmptyText(id)
      if (callId === undefined || serverCalls.has(callId)) throw modelError(`its ${type} has no id of its own`)
      serverCalls.set(callId, `${round}/${callId}`)
      return [showCall(block, callId)]
    }
    if (isResult(type)) return result(content)
    const thought = type === 'thinking' ? output.think(keyOf(block), nonEmptyText(thinking) ?? '') : undefined
    return [
      ...(type === 'text' ? show(block, nonEmptyText(text) ?? '') : []),
      ...(Array.isArray(citations) ? citations.flatMap((each) => showCitation(each, output)) : []),
      ...(thought === undefined ? [] : [thought]),
    ]
  }

  const showCall = ({ content, json }: Block, callId: string): AgentOutput => {
    const input = json === undefined ? content['input'] : (parseInput(json) ?? json)
    const isKnown = json !== undefined || (isJsonObject(input) && Object.keys(input).length > 0)
    const named = { name: nonEmptyText(content['name']) ?? '', ...(isKnown && { arguments: input }) }
    return output.tool(serverCalls.get(callId) ?? callId, { ...named, status: 'running' })
  }

  const result = (content: JsonObject): AgentOutput[] => {
    const callId = nonEmptyText(content['tool_use_id']) ?? ''
    const shownAs = serverCalls.get(callId)
    if (shownAs === undefined) throw modelError(`its ${String(content['type'])} belongs to no call`)
    serverCalls.delete(callId)
    return showResult(content, shownAs, output)
  }

  /** Blocks may grow at the same time, but text is shown in the order of its blocks. */
  const show = (block: Block, more: string): AgentOutput[] => {
    if (more === '') return []
    const ordinal = blocks.indexOf(block)
    if (ordinal < lastText) throw modelError('its text is out of order')
    lastText = ordinal
    return [more]
  }

  const take = (block: Block, delta: JsonObject): AgentOutput[] => {
    const { content } = block
    const type = nonEmptyText(delta['type']) ?? 'delta without a type'
    if (block.state === 'ended' || DELTAS[block.type]?.includes(type) !== true)
      throw modelError(`a ${type} for its ${block.type}${block.state === 'ended' ? ', which has ended' : ''}`)
    const append = (key: string): string => {
      const more = nonEmptyText(delta[key]) ?? ''
      content[key] = (nonEmptyText(content[key]) ?? '') + more
      return more
    }
    switch (type) {
      case 'text_delta':
        return show(block, append('text'))
      case 'thinking_delta': {
        const shown = output.think(keyOf(block), append('thinking'))
        return shown === undefined ? [] : [shown]
      }
      case 'signature_delta':
        append('signature')
        return []
      case 'input_json_delta':
        block.json = (block.json ?? '') + (nonEmptyText(delta['partial_json']) ?? '')
        return []
      case 'compaction_delta': {
        const { type: _, ...final } = delta
        Object.assign(content, final)
        return []
      }
      default: {
        const { citation } = delta
        const before: readonly unknown[] = Array.isArray(content['citations']) ? content['citations'] : []
        content['citations'] = [...before, citation]
        return showCitation(citation, output)
      }
    }
  }

  const end = (block: Block): AgentOutput[] => {
    if (block.state === 'ended') return []
    block.state = 'ended'
    const { type, content } = block
    if (type === 'thinking') {
      const shown = output.thought(keyOf(block))
      return shown === undefined ? [] : [shown]
    }
    if (type === 'compaction' && content['content'] === undefined) throw modelError('its compaction has no content')
    checkInput(block)
    return isServerCall(type) ? [showCall(block, nonEmptyText(content['id']) ?? '')] : []
  }

  return {
    read(event) {
      const { type, index, delta, content_block: begun } = event
      switch (type) {
        case 'message_start':
          if (hasBegun && blocks.length > 0) throw modelError('a second message began in its stream')
          hasBegun = true
          return []
        case 'content_block_start':
          return isJsonObject(begun) ? begin(index, begun) : []
        case 'content_block_delta':
        case 'content_block_stop': {
          const block = byIndex.get(index)
          if (block === undefined) throw modelError(`a ${type} for a block that never began`)
          if (type === 'content_block_stop') return end(block)
          return isJsonObject(delta) ? take(block, delta) : []
        }
        case 'message_delta': {
          const reason = isJsonObject(delta) ? nonEmptyText(delta['stop_reason']) : undefined
          if (reason !== undefined && stopReason !== undefined && reason !== stopReason)
            throw modelError(`two stop reasons, ${stopReason} and ${reason}`)
          stopReason = reason ?? stopReason
          if (isJsonObject(event['usage'])) usage = { ...(isJsonObject(usage) && usage), ...event['usage'] }
          return []
        }
        default:
          return []
      }
    },
    get stopReason() {
      return stopReason
    },
    settle() {
      const calls: WholeMessage['calls'][number][] = []
      for (const { type, content, json, state } of blocks) {
        if (state === 'open') throw modelError(`its ${type} has not ended`)
        if (!Object.hasOwn(DELTAS, type) && !WHOLE.has(type) && !isResult(type))
          throw modelError(`${type} is a block that fromAnthropic cannot carry out`)
        if (type !== 'tool_use') continue
        const [callId, name] = [nonEmptyText(content['id']), nonEmptyText(content['name'])]
        if (callId === undefined || name === undefined) throw modelError('its tool_use has no id or no name')
        if (calls.some((call) => call.callId === callId)) throw modelError(`it gave two calls the id ${callId}`)
        calls.push({ callId, name, json: json || JSON.stringify(content['input'] ?? {}) })
      }
      return { blocks: blocks.filter(isSaid).map(wholeBlock), calls, usage }
    },
  }
}

/** A gateway may send the input of a call at its beginning, in pieces, or both ways. */
function checkInput({ type, content, json }: Block): void {
  const { input } = content
  if (!json || !isJsonObject(input) || Object.keys(input).length === 0) return
  const other = parseInput(json)
  if (other === undefined || canonicalJson(other) !== canonicalJson(input))
    throw modelError(`its ${type} has two inputs`)
}

/** Anthropic refuses a block of empty text, which models send. */
function isSaid({ type, content }: Block): boolean {
  return type !== 'text' || nonEmptyText(content['text']) !== undefined
}

/** A block as it goes back. */
function wholeBlock({ type, content, json }: Block): JsonObject {
  if (type !== 'tool_use' && !isServerCall(type)) return content
  // An input that is not JSON has no place in a block: the result of the call says so to the model.
  const input = json ? (parseInput(json) ?? {}) : (content['input'] ?? {})
  return { ...content, input }
}

function isServerCall(type: string): boolean {
  return type === 'server_tool_use' || type === 'mcp_tool_use'
}

function isResult(type: string): boolean {
  return type.endsWith('_tool_result')
}

/** The result of a tool that Anthropic has carried out, and the sources in it. */
function showResult(block: JsonObject, callId: string, output: ModelOutput): AgentOutput[] {
  const { content } = block
  const found = Array.isArray(content) ? content.filter(isJsonObject) : isJsonObject(content) ? [content] : []
  const fault = faultIn(block)
  const result = resultIn(block)
  return [
    output.tool(callId, {
      name: '',
      ...(fault === undefined
        ? { ...(result !== undefined && { result }), status: 'complete' }
        : { error: fault, status: 'failed' }),
    }),
    ...found.flatMap(({ url, title, content: document }) => {
      const name = nonEmptyText(title) ?? (isJsonObject(document) ? nonEmptyText(document['title']) : undefined)
      return source({ url: nonEmptyText(url), title: name }, output)
    }),
  ]
}

/** Why a tool of Anthropic has failed. Undefined: it has not. */
function faultIn({ is_error: isError, content }: JsonObject): unknown {
  if (isError === true) return textIn(content) ?? TOOL_FAILED
  if (!isJsonObject(content) || !nonEmptyText(content['type'])?.endsWith('_error')) return undefined
  return nonEmptyText(content['error_code']) ?? TOOL_FAILED
}

/** What is shown of a result: the text of an MCP tool, and the output of code. Search results are sources. */
function resultIn({ type, content }: JsonObject): unknown {
  if (type === 'mcp_tool_result') return textIn(content)
  if (!isJsonObject(content) || typeof content['stdout'] !== 'string') return undefined
  const { stdout, stderr, return_code } = content
  return { stdout, stderr, return_code }
}

function textIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return nonEmptyText(content)
  return nonEmptyText(
    content.map((part: unknown) => (isJsonObject(part) ? (nonEmptyText(part['text']) ?? '') : '')).join(''),
  )
}

/** A source that text cites: a page of the web, or a document of the request, which is named by its file or its place. */
function showCitation(citation: unknown, output: ModelOutput): AgentOutput[] {
  if (!isJsonObject(citation)) return []
  const snippet = nonEmptyText(citation['cited_text'])
  const title = nonEmptyText(citation['title']) ?? nonEmptyText(citation['document_title'])
  const url = nonEmptyText(citation['url'])
  if (url !== undefined) return source({ url, title, snippet }, output)
  const given = nonEmptyText(citation['source'])
  if (given !== undefined && URL.canParse(given)) return source({ url: given, title, snippet }, output)
  const file = nonEmptyText(citation['file_id'])
  const index = citation['document_index'] ?? citation['search_result_index']
  const name = file ?? given ?? (typeof index === 'number' ? String(index) : undefined)
  if (name === undefined) return []
  const { start_page_number: page } = citation
  const place = typeof page === 'number' ? `#page=${page}` : ''
  const label = title ?? given ?? file
  return source(
    {
      url: `urn:anthropic:document:${encodeURIComponent(name)}${place}`,
      title: label === undefined || place === '' ? label : `${label}, p. ${String(page)}`,
      snippet,
    },
    output,
  )
}

function source(
  {
    url,
    title,
    snippet,
  }: { readonly url: string | undefined; readonly title: string | undefined; readonly snippet?: string | undefined },
  output: ModelOutput,
): AgentOutput[] {
  const shown = url === undefined ? undefined : output.source({ url, title, snippet })
  return shown === undefined ? [] : [shown]
}
