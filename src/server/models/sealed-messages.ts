import { isJsonObject } from '../../base/json-object.ts'

/** Members with what a vendor seals: it reads them again, and nobody else can. */
const SEALS: ReadonlySet<string> = new Set([
  'signature',
  'redactedData',
  'reasoningEncryptedContent',
  'encrypted_content',
  'thoughtSignature',
])
/** Where LangChain keeps the signatures of Gemini's calls, by their ids. */
const SIGNATURES = '__gemini_function_call_thought_signatures__'
/** Members of the app: nothing in them is the vendor's. */
const OF_APP: ReadonlySet<string> = new Set(['args', 'arguments', 'input', 'result'])
const DEEPEST = 12

interface Seals {
  count: number
  /** Reasoning that is only a name for what the vendor stores for a time. */
  names: number
}

/**
 * Messages of an SDK as plain JSON, where the next request needs them unchanged: some of their reasoning is sealed, and all of it is there.
 * Undefined where the parts of the answer say all of it.
 */
export function sealedMessages(messages: readonly object[]): readonly object[] | undefined {
  const seals: Seals = { count: 0, names: 0 }
  try {
    // Objects of classes, such as messages of LangChain, hold more than JSON.
    const plain: unknown = JSON.parse(JSON.stringify(messages, withoutBytes))
    count(plain, seals, 0)
    return seals.count > 0 && seals.names === 0 && Array.isArray(plain) ? plain.filter(isJsonObject) : undefined
  } catch {
    return undefined
  }
}

function withoutBytes(_key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) throw new Error('Bytes are not JSON.')
  return value
}

function count(value: unknown, seals: Seals, depth: number): void {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) return value.forEach((each) => count(each, seals, depth + 1))
  if (!isJsonObject(value)) return
  const before = seals.count
  for (const [key, member] of Object.entries(value)) {
    if (OF_APP.has(key)) continue
    if (SEALS.has(key) && typeof member === 'string' && member !== '') seals.count += 1
    else if (key === SIGNATURES && isJsonObject(member)) seals.count += Object.keys(member).length
    else count(member, seals, depth + 1)
  }
  if (value['type'] === 'redacted_thinking' && typeof value['data'] === 'string') seals.count += 1
  // The Responses API names its items: what it has not encrypted is known by that name alone.
  const isNamed = value['type'] === 'reasoning' && /"(itemId|id)":"/.test(JSON.stringify(value))
  if (isNamed && seals.count === before) seals.names += 1
}
