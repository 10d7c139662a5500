import { isJsonObject, type JsonObject } from '../../../src/base/json-object.ts'

/** The messages of a request to any vendor, an entry for each thing that the model is told after the first message of the user. */
export function entriesOf(body: JsonObject): readonly string[] {
  const messages = [body['messages'], body['input'], body['contents']].find(Array.isArray) ?? []
  return messages.filter(isJsonObject).flatMap(entries)
}

function entries(message: JsonObject): string[] {
  const { role, type, content, parts, tool_calls: calls, reasoning_content: reasoning } = message
  // Items of the Responses API.
  if (type === 'function_call') return [`call ${String(message['name'])} ${String(message['arguments'])}`]
  if (type === 'function_call_output') return [`result ${text(message['output'])}`]
  if (type === 'reasoning') return [`reasoning ${String(message['encrypted_content'])}`]
  if (role === 'tool') return [`result ${text(content)}`]
  const blocks = [content, parts].find(Array.isArray)?.filter(isJsonObject) ?? [{ type: 'text', text: content }]
  return [
    ...(typeof reasoning === 'string' ? [`reasoning ${reasoning}`] : []),
    ...blocks.flatMap((block) => blockEntrys(block, role === 'user' && blocks.length === 1)),
    ...(Array.isArray(calls) ? calls.filter(isJsonObject).map(callEntry) : []),
  ]
}

function callEntry(call: JsonObject): string {
  const { name, arguments: input } = isJsonObject(call['function']) ? call['function'] : {}
  return `call ${String(name)} ${typeof input === 'string' ? input : JSON.stringify(input)}`
}

function blockEntrys(block: JsonObject, isQuestion: boolean): string[] {
  const { type, functionCall, functionResponse, thoughtSignature } = block
  const signed = typeof thoughtSignature === 'string' ? ` ${thoughtSignature}` : ''
  if (isJsonObject(functionCall))
    return [`call ${String(functionCall['name'])} ${JSON.stringify(functionCall['args'])}${signed}`]
  if (isJsonObject(functionResponse)) return [`result ${text(functionResponse['response'])}`]
  if (type === 'tool_use') return [`call ${String(block['name'])} ${JSON.stringify(block['input'])}`]
  if (type === 'tool_result') return [`result ${text(block['content'])}`]
  if (type === 'thinking') return [`thinking ${String(block['thinking'])} ${String(block['signature'])}`]
  if (block['thought'] === true) return [`thinking ${text(block['text'])}${signed}`]
  const said = text(block['text'] ?? block['content'])
  if (said === '') return []
  return [`${isQuestion ? 'user' : 'text'} ${said}`]
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value))
    return value
      .filter(isJsonObject)
      .map((part) => text(part['text']))
      .join('')
  if (isJsonObject(value)) return text(value['result'] ?? value['content'] ?? JSON.stringify(value))
  return ''
}
