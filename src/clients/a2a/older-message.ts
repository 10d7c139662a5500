import { isJsonObject } from '../../base/json-object.ts'

/** A message of A2A 1.0 as 0.3 writes it: `kind` says what it and each of its parts is. */
export function toOlderMessage(message: unknown): unknown {
  if (!isJsonObject(message)) return message
  const { role, parts } = message
  return {
    ...message,
    kind: 'message',
    role: role === 'ROLE_AGENT' ? 'agent' : 'user',
    parts: Array.isArray(parts) ? parts.map(toOlderPart) : parts,
  }
}

function toOlderPart(part: unknown): unknown {
  if (!isJsonObject(part)) return part
  const { text, raw, url, data, filename: name, mediaType: mimeType, metadata } = part
  if (text !== undefined) return { kind: 'text', text, metadata }
  if (raw !== undefined) return { kind: 'file', file: { bytes: raw, name, mimeType }, metadata }
  if (url !== undefined) return { kind: 'file', file: { uri: url, name, mimeType }, metadata }
  // In 0.3 data are an object.
  return { kind: 'data', data: isJsonObject(data) ? data : { value: data }, metadata }
}
