import { TOOL_FAILED } from '../../base/text/tool-failures.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import type { ModelOutput } from './model-output.ts'
import { nonEmptyText } from './vendor-json.ts'

/** The result of a tool that Anthropic has carried out, and the sources in it. */
export function showResult(block: JsonObject, callId: string, output: ModelOutput): AgentOutput[] {
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
export function showCitation(citation: unknown, output: ModelOutput): AgentOutput[] {
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
