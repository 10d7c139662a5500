import { isJsonObject } from '../../base/json-object.ts'

/** Metadata of a message with what a later chunk says: objects are merged key by key, anything else is replaced. */
export function mergeMetadata(before: unknown, now: unknown): unknown {
  if (now === undefined || now === null) return before
  if (!isJsonObject(before) || !isJsonObject(now)) return now
  const all = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(now)) all.set(key, mergeMetadata(all.get(key), value))
  return Object.fromEntries(all)
}
