/** Which key a signature of a card names. All of it is untrusted: the author of the card chose `keySetUrl`. */
export interface SignatureKeyQuery {
  readonly keyId: string
  /** Where the signer says that its keys are (`jku`). Absent: it does not say. */
  readonly keySetUrl?: string | undefined
  /** Of the signature, such as `ES256`. */
  readonly algorithm: string
}

/** Gives the public key with this id, if it is one you trust. */
export type SignatureKeySource = (
  query: SignatureKeyQuery,
) => CryptoKey | JsonWebKey | undefined | Promise<CryptoKey | JsonWebKey | undefined>

/**
 * The result of checking the signatures of a card. `valid`: the owner of the key signed all of it. `partly-signed`: the owner of the key
 * signed it without the members in `unsigned`, which anyone can have changed. `unknown-key`: none of its signatures is of a key you trust.
 * `invalid`: one names such a key, and does not fit the card.
 */
export interface AgentCardSignatureState {
  readonly state: 'unsigned' | 'unknown-key' | 'invalid' | 'partly-signed' | 'valid'
  /** Of the key whose signature is good. Absent: none is. */
  readonly keyId?: string | undefined
  /** Paths of members that the signature does not cover: `securitySchemes`, `capabilities.extensions`. Absent: the state is not `partly-signed`. */
  readonly unsigned?: readonly string[] | undefined
}
