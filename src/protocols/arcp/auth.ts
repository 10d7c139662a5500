import type { ApiKey, Credential } from '../../wire/credential.ts'
import type { ArcpPayload } from './schema/payloads.ts'

/** How a client proves who it is. The token is asked for at each session, and once more when the runtime refuses it. */
export type ArcpAuth =
  /** Only where the runtime allows anonymous sessions. */
  | { readonly scheme: 'none' }
  | {
      readonly scheme: 'bearer' | 'signed_jwt'
      readonly token: ApiKey
      /** Fingerprint of the key that signed. Absent: none is sent. */
      readonly fingerprint?: string | undefined
      /** The answer to a challenge of the runtime. @default the token */
      readonly answerChallenge?: ((challenge: ArcpPayload<'session.challenge'>) => string | Promise<string>) | undefined
    }

/** The proof as `session.open` carries it. */
export async function openingProof(
  auth: ArcpAuth,
  credential: Credential,
): Promise<ArcpPayload<'session.open'>['auth']> {
  if (auth.scheme === 'none') return { scheme: 'none' }
  const token = await credential.get()
  return { scheme: auth.scheme, token, ...(auth.fingerprint === undefined ? {} : { fingerprint: auth.fingerprint }) }
}
