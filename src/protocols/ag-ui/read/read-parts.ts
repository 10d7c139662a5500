import { isString } from '../../../base/guards.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { AgUiContentPart } from '../schema/message.ts'
import { ReadFault } from './read-fault.ts'

/** Types of parts with a source; others are left out. */
const MEDIA = /^(?:image|audio|video|document)$/

/**
 * The parts of a message of a snapshot, as AG-UI 1.0 has them.
 *
 * @throws ReadFault
 */
export function readParts(content: readonly unknown[]): AgUiContentPart[] {
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
    throw new ReadFault('a text part has no text')
  }
  if (!isString(type) || !MEDIA.test(type)) return []
  if (isJsonObject(source) && isString(source['value'])) return [{ ...part, type }]
  throw new ReadFault(`a part ${JSON.stringify(type)} has no source`)
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
