import { TOOL_FAILED } from '../../base/text/tool-failures.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import type { ModelOutput } from './model-output.ts'
import { isHostedCallOpen } from './openai-items.ts'
import { parseInput, nonEmptyText } from './vendor-json.ts'

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
export function showItem(item: JsonObject, callId: string, hasEnded: boolean, output: ModelOutput): AgentOutput[] {
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
export function showAnnotations(annotations: unknown, output: ModelOutput): AgentOutput[] {
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
