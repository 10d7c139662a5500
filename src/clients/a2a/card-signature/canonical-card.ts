import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'

/** The members of a card of A2A 1.0. Servers of several versions add those of 0.3, which are not signed. */
const CARD = new Set(
  'name description version supportedInterfaces capabilities skills provider iconUrl documentationUrl defaultInputModes defaultOutputModes securitySchemes securityRequirements'.split(
    ' ',
  ),
)
const CAPABILITIES = new Set('streaming pushNotifications extendedAgentCard extensions'.split(' '))

/**
 * What may have been signed of a card (A2A 1.0, section 8.4.1): it without its signatures and without what is empty, with sorted keys
 * (RFC 8785). Of a card with interfaces of 1.0 also that without members that 1.0 does not have: none of them is read from such a card.
 */
export function signedForms(card: JsonObject): string[] {
  const { signatures: _signatures, ...whole } = card
  const forms = [canonical(clean(whole) ?? {}), canonical(whole)]
  if (Array.isArray(card.supportedInterfaces)) forms.unshift(canonical(clean(known(whole)) ?? {}))
  return [...new Set(forms)]
}

function known(card: JsonObject): JsonObject {
  const { capabilities } = card
  return {
    ...only(card, CARD),
    ...(isJsonObject(capabilities) && { capabilities: knownCapabilities(only(capabilities, CAPABILITIES)) }),
  }
}

/** Whether an extension is required is the one flag of a card that ProtoJSON leaves out when it is false. */
function knownCapabilities({ extensions, ...capabilities }: JsonObject): JsonObject {
  if (!Array.isArray(extensions)) return { ...capabilities, extensions }
  return {
    ...capabilities,
    extensions: extensions.map((each: unknown) =>
      isJsonObject(each) && each.required === false ? { ...each, required: undefined } : each,
    ),
  }
}

function only(value: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.has(key)))
}

/** Without empty texts, lists and objects, which ProtoJSON leaves out. Undefined when nothing is left. */
function clean(value: unknown): unknown {
  if (value === '' || value === null || value === undefined) return undefined
  if (Array.isArray(value)) {
    const items: unknown[] = value.map(clean).filter((item) => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, each]) => {
    const cleaned = clean(each)
    return cleaned === undefined ? [] : [[key, cleaned] as const]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** JSON as RFC 8785 has it. Numbers and texts are those of JSON.stringify, keys are sorted by their UTF-16. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).toSorted()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}
