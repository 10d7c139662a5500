import { isString } from '../../base/guards.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { AgUiContentPart, AgUiMessage } from './message-schema.ts'
import { ReadFault } from './read-fault.ts'

/** Types of parts; others are left out. */
const PARTS = /^(?:text|image|audio|video|document)$/

/** @throws ReadFault */
export function readContent(content: unknown, isActivity: boolean): NonNullable<AgUiMessage['content']> {
  if (isActivity) {
    if (isJsonObject(content)) return content
    throw new ReadFault('the content of an activity is not an object')
  }
  if (isString(content)) return content
  if (!Array.isArray(content)) throw new ReadFault('a content is neither text nor parts')
  return content.filter(
    (part): part is AgUiContentPart => isJsonObject(part) && isString(part['type']) && PARTS.test(part['type']),
  )
}
