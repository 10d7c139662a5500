import type { ApiKey, Credential } from '../../wire/credential.ts'
import type { ArcpMessage } from './read/message.ts'
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

/**
 * The answer to a challenge. The specification does not say its shape: a challenge with an id is answered as the runtime in TypeScript
 * reads it, one without as that in F# does.
 */
export async function challengeProof(
  auth: ArcpAuth,
  credential: Credential,
  { payload }: Extract<ArcpMessage, { type: 'session.challenge' }>,
): Promise<ArcpPayload<'session.authenticate'>> {
  const token = auth.scheme === 'none' ? '' : ((await credential.get()) ?? '')
  const response = auth.scheme === 'none' ? '' : ((await auth.answerChallenge?.(payload)) ?? token)
  if (payload.challenge_id !== undefined) return { challenge_id: payload.challenge_id, response }
  return { scheme: payload.scheme ?? auth.scheme, token: response, challenge: payload.challenge }
}

/** The proof that a session wants before its deadline. */
export async function refreshProof(
  auth: ArcpAuth,
  credential: Credential,
  { payload }: Extract<ArcpMessage, { type: 'session.refresh' }>,
): Promise<ArcpPayload<'session.authenticate'>> {
  const before = auth.scheme === 'none' ? undefined : await credential.get()
  const token = before === undefined ? '' : ((await credential.renew(before)) ?? before)
  const challenge = payload.challenge ?? ''
  return { challenge_id: challenge, response: token, scheme: payload.scheme ?? auth.scheme, token, challenge }
}
