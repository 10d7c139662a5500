import { decodeProtectedHeader, flattenedVerify } from 'jose'
import { isJsonObject, type JsonObject } from '../../../base/json-object.ts'
import type { AgentCardSignatureState, SignatureKeySource } from './signature-state.ts'

/** Signatures that a public key checks: a secret shared with a page would be none. */
const ALGORITHMS = 'ES256 ES384 ES512 EdDSA Ed25519 RS256 RS384 RS512 PS256 PS384 PS512'.split(' ')

/** More than any card needs, so that a card cannot make a page work for long. */
const MOST_SIGNATURES = 8

/** Checks the signatures of an unchanged card. One good signature is enough, and of several the one that covers most counts. */
export async function verifySignatures(card: unknown, keyOf: SignatureKeySource): Promise<AgentCardSignatureState> {
  if (!isJsonObject(card) || !Array.isArray(card.signatures) || card.signatures.length === 0)
    return { state: 'unsigned' }
  const forms = signedForms(card)
  let isKnown = false
  let partly: AgentCardSignatureState | undefined
  for (const signature of card.signatures.filter(isSignature).slice(0, MOST_SIGNATURES)) {
    const header = headerOf(signature)
    if (header === undefined) continue
    const { kid, jku, alg } = header
    if (kid === undefined || alg === undefined || !ALGORITHMS.includes(alg)) continue
    const key = await keyOf({ keyId: kid, keySetUrl: jku, algorithm: alg })
    if (key === undefined) continue
    isKnown = true
    for (const { text, unsigned } of forms) {
      const { protected: own, signature: bytes } = signature
      const jws = { protected: own, signature: bytes, payload: base64Url(text) }
      const isGood = await flattenedVerify(jws, key, { algorithms: ALGORITHMS }).then(
        () => true,
        () => false,
      )
      if (!isGood) continue
      if (unsigned.length === 0) return { state: 'valid', keyId: kid }
      if (partly?.unsigned === undefined || unsigned.length < partly.unsigned.length)
        partly = { state: 'partly-signed', keyId: kid, unsigned }
    }
  }
  return partly ?? { state: isKnown ? 'invalid' : 'unknown-key' }
}

interface Signature {
  readonly protected: string
  readonly signature: string
}

function isSignature(value: unknown): value is Signature {
  return isJsonObject(value) && typeof value.protected === 'string' && typeof value.signature === 'string'
}

/** The protected header of a signature; undefined when it cannot be read. */
function headerOf(
  signature: Signature,
): { readonly kid?: string; readonly jku?: string; readonly alg?: string } | undefined {
  try {
    return decodeProtectedHeader(signature)
  } catch {
    return undefined
  }
}

function base64Url(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The members of a card of A2A 1.0. Servers of several versions add those of 0.3, which are not signed. */
const CARD = new Set(
  'name description version supportedInterfaces capabilities skills provider iconUrl documentationUrl defaultInputModes defaultOutputModes securitySchemes securityRequirements'.split(
    ' ',
  ),
)

/** ObjectShape with names and free JSON in them, where an empty object means something. `security` is that of 0.3. */
const EXACT = new Set('securitySchemes securityRequirements security params'.split(' '))

const CAPABILITIES = new Set('streaming pushNotifications extendedAgentCard extensions'.split(' '))

/** A form of a card that a signer may have signed. */
interface SignedForm {
  /** Canonical JSON (RFC 8785). */
  readonly text: string
  /** Paths of members of the card that the form does not cover, so that anyone can change them. */
  readonly unsigned: readonly string[]
}

/**
 * The forms in which a card may have been signed (A2A 1.0, section 8.4.1), those that cover the whole card first: without its signatures, as
 * it is or without empty values, and without members that 1.0 does not have where it has interfaces of 1.0: none of them is read from such a
 * card. A signer that drops every empty object loses names of schemes, scopes and requirements with it, and the official SDK 1.3.0 signs
 * nothing of the security schemes: those forms name what they leave unsigned.
 */
function signedForms(card: JsonObject): SignedForm[] {
  const { signatures: _signatures, ...whole } = card
  const cards = Array.isArray(card.supportedInterfaces) ? [known(whole), whole] : [whole]
  const complete = cards.flatMap((each) => [each, cleanObject(each, EXACT)])
  const forms = complete.map((form): SignedForm => ({ text: canonical(form), unsigned: [] }))
  for (const withoutSchemes of [false, true]) {
    for (const each of cards) {
      const form = cleanObject(withoutSchemes ? { ...each, securitySchemes: undefined } : each)
      forms.push({ text: canonical(form), unsigned: differingMembers(cleanObject(each, EXACT), form) })
    }
  }
  return forms
}

/** Paths of members, such as `capabilities.extensions`, that are not in the form as they are in the card. */
function differingMembers(card: JsonObject, form: JsonObject, path = ''): string[] {
  return Object.entries(card).flatMap(([key, value]) => {
    const inForm = form[key] ?? null
    if (canonical(value) === canonical(inForm)) return []
    const isNested = isJsonObject(value) && isJsonObject(inForm) && !EXACT.has(key)
    return isNested ? differingMembers(value, inForm, `${path}${key}.`) : [`${path}${key}`]
  })
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

/**
 * Without empty texts, lists and objects, which ProtoJSON leaves out. Undefined when nothing is left.
 *
 * @param exact keys whose values stay unchanged, unless they are empty themselves
 */
function clean(value: unknown, exact: ReadonlySet<string>): unknown {
  if (value === '' || value === null || value === undefined) return undefined
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((each) => clean(each, exact)).filter((item) => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, each]) => {
    const isEmpty = typeof each === 'object' && each !== null && Object.keys(each).length === 0
    const cleaned = exact.has(key) && !isEmpty ? (each ?? undefined) : clean(each, exact)
    return cleaned === undefined ? [] : [[key, cleaned] as const]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function cleanObject(value: JsonObject, exact: ReadonlySet<string> = new Set()): JsonObject {
  const cleaned = clean(value, exact)
  return isJsonObject(cleaned) ? cleaned : {}
}

/** JSON as RFC 8785 has it. Numbers and texts are those of JSON.stringify, keys are sorted by their UTF-16. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).toSorted()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`
}
