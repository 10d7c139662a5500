import { isJsonObject } from './json-object.ts'

/** Deepest nesting of arrays and objects that is read. CAP allows 500 and more; beyond this, code after us could overflow its stack. */
export const MAX_DEPTH = 2_000

/**
 * JSON.parse for text from the network. Throws SyntaxError for broken JSON and RangeError for
 * nesting deeper than {@link MAX_DEPTH}. Keys named `__proto__` are left out: copied by assignment
 * they would replace the prototype of the copy.
 */
export function parseBoundedJson(text: string): unknown {
  return withoutPrototypeKeys(parseShallowJson(text), text)
}

/** The first half of {@link parseBoundedJson}: the keys are as they were sent. Never copy them by assignment. */
export function parseShallowJson(text: string): unknown {
  // A valid text nested deeper needs at least two brackets a level.
  if (text.length > 2 * MAX_DEPTH && isTooDeep(text)) throw new RangeError(`nested deeper than ${MAX_DEPTH} levels`)
  return JSON.parse(text)
}

/** The second half: the value that was read from the text, without keys named `__proto__`. Changes the value. */
export function withoutPrototypeKeys(value: unknown, text: string): unknown {
  // Every letter of the name may be written as an escape that begins so.
  if (text.includes('__proto__') || text.includes('\\u00')) removePrototypeKeys(value)
  return value
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i)
    if (character === QUOTE) i = endOfString(text, i)
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) {
      if (++depth > MAX_DEPTH) return true
    } else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) depth--
  }
  return false
}

const QUOTE = 34

const OPEN_BRACKET = 91

const BACKSLASH = 92

const CLOSE_BRACKET = 93

const OPEN_BRACE = 123

const CLOSE_BRACE = 125

/** Index of the quote that ends the string begun at `start`, or the length of the text when none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

/** A loop over its own list: recursion would let the sender choose how deep our stack grows. */
function removePrototypeKeys(root: unknown): void {
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (Array.isArray(value)) {
      for (const item of value) open.push(item)
    } else if (isJsonObject(value)) {
      if (Object.hasOwn(value, '__proto__')) delete value['__proto__']
      for (const key in value) open.push(value[key])
    }
  }
}

/** JSON writes half of a character as an escape like this one. Of any other escape the first two characters are taken, so that none is cut. */
const ESCAPE = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g

/**
 * JSON for the network: half of a character, which a text that was cut may end with, becomes U+FFFD. Readers that hold text
 * to Unicode, such as the reference models, refuse the whole document for the escape that `JSON.stringify` writes.
 */
export function stringifyWellFormed(value: unknown): string {
  const json = JSON.stringify(value)
  return json.includes('\\ud') ? json.replace(ESCAPE, (escape) => (escape.length > 2 ? '\ufffd' : escape)) : json
}
