import { isJsonObject } from '../../../base/json-object.ts'
import type { Message, Part } from '../schema/message.ts'
import type { Reader } from './key-reader.ts'
import { listOf, members, object, optionalObject, optionalText, optionalTexts, text } from './key-reader.ts'

const wirePart = /* @__PURE__ */ members<Part>({
  text: optionalText,
  raw: optionalText,
  url: optionalText,
  data: (value) => value,
  filename: optionalText,
  mediaType: optionalText,
  metadata: optionalObject,
})

/** A part of A2A 1.0, or of 0.3, where files and links are objects of their own. */
const readPart: Reader<Part> = (value, path) => {
  const part = object(value, path)
  const file = part.file ?? part.fileUrl
  if (!isJsonObject(file)) return wirePart(part, path)
  const { name, mimeType, mediaType, bytes, uri, url } = file
  return wirePart(
    { raw: bytes, url: uri ?? url, filename: name, mediaType: mediaType ?? mimeType, metadata: part.metadata },
    path,
  )
}

/** The parts of a message or an artifact: ProtoJSON leaves out a list that is empty. */
export const readParts: Reader<Part[]> = (value, path) => (value === undefined ? [] : listOf(readPart)(value, path))

const ROLES: ReadonlyMap<unknown, string> = new Map([
  ['user', 'ROLE_USER'],
  ['agent', 'ROLE_AGENT'],
])

/** A message of A2A 1.0 or 0.3. */
export const readMessage: Reader<Message> = /* @__PURE__ */ members<Message>({
  messageId: (value, path) => (value === undefined ? '' : text(value, path)),
  role: (value, path) => ROLES.get(value) ?? text(value, path),
  parts: readParts,
  contextId: optionalText,
  taskId: optionalText,
  metadata: optionalObject,
  extensions: optionalTexts,
  referenceTaskIds: optionalTexts,
})
