import { isJsonObject, type JsonObject } from '../../base/json-object.ts'

/** The data of a frame as an object; undefined for anything else. */
export function readData(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
