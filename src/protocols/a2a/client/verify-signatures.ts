import { decodeProtectedHeader, flattenedVerify } from 'jose'
import { isJsonObject } from '../../../base/json-object.ts'
import { signedForms } from './canonical-card.ts'
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
