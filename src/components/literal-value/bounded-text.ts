import { MAX_DEPTH } from '../../base/bounded-json.ts'
import { isJsonObject } from '../../base/json-object.ts'

/** The beginning of something that may be of any size. */
export interface BoundedText {
  readonly text: string
  /** Whether there is more. */
  readonly isCut: boolean
}

/** Deeper levels are not moved further in: the text would be mostly indentation. */
const MOST_INDENT = 12

/** A string as it is, anything else as JSON: about `limit` characters of it. The work is bounded by them, whatever the size of the value. */
export function boundedText(value: unknown, limit: number): BoundedText {
  if (typeof value !== 'string' || value.trim() === '') return boundedJson(value, limit)
  return { text: value.slice(0, limit), isCut: value.length > limit }
}

/** Some entries of an object, by the order of their keys. */
export interface BoundedEntries {
  readonly entries: readonly (readonly [key: string, value: unknown])[]
  /** Whether there are more. */
  readonly isCut: boolean
}

/** The first entries of an object. */
export function firstEntries(object: Readonly<Record<string, unknown>>, limit: number): BoundedEntries {
  const entries: [string, unknown][] = []
  // No list of all keys is made.
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue
    if (entries.length === limit) return { entries, isCut: true }
    entries.push([key, object[key]])
  }
  return { entries, isCut: false }
}

function boundedJson(root: unknown, limit: number): BoundedText {
  let text = ''
  let isCut = false

  /** Writes an item, and says whether there is space for another. */
  function writeItem(write: () => void, isFirst: boolean, indent: string): boolean {
    if (text.length >= limit) {
      isCut = true
      return false
    }
    text += isFirst ? indent : `,${indent}`
    write()
    return true
  }
  function writeString(value: string): void {
    const left = Math.max(0, limit - text.length)
    text += JSON.stringify(value.slice(0, left))
    if (value.length > left) isCut = true
  }
  function write(value: unknown, depth: number): void {
    if (typeof value === 'string') writeString(value)
    else if (Array.isArray(value) || isJsonObject(value)) writeItems(value, depth)
    else text += String(value)
  }
  function writeItems(value: readonly unknown[] | Readonly<Record<string, unknown>>, depth: number): void {
    if (depth > MAX_DEPTH) {
      isCut = true
      return
    }
    const inner = `\n${'  '.repeat(Math.min(depth, MOST_INDENT))}`
    let isEmpty = true
    text += Array.isArray(value) ? '[' : '{'
    if (Array.isArray(value)) {
      for (const item of value) {
        if (!writeItem(() => write(item, depth + 1), isEmpty, inner)) return
        isEmpty = false
      }
    } else {
      const object = value as Readonly<Record<string, unknown>>
      for (const key in object) {
        if (!Object.hasOwn(object, key)) continue
        const writeEntry = (): void => {
          writeString(key)
          text += ': '
          write(object[key], depth + 1)
        }
        if (!writeItem(writeEntry, isEmpty, inner)) return
        isEmpty = false
      }
    }
    if (isCut) return
    if (!isEmpty) text += `\n${'  '.repeat(Math.min(depth - 1, MOST_INDENT))}`
    text += Array.isArray(value) ? ']' : '}'
  }

  write(root, 1)
  return { text, isCut }
}
