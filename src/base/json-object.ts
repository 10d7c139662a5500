/** A JSON object whose keys CAP leaves open. */
export type JsonObject = Record<string, unknown>

/** True for objects that are neither null nor lists. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
