import type { Credential } from '../../wire/credential.ts'
import type { ArcpAuth } from './auth.ts'
import type { ArcpMessage } from './read/message.ts'
import type { ArcpPayload } from './schema/payloads.ts'

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

/** The proof that a session wants before its deadline: a new token and, where the refresh has a challenge, the answer to it. */
export async function refreshProof(
  auth: ArcpAuth,
  credential: Credential,
  { payload }: Extract<ArcpMessage, { type: 'session.refresh' }>,
): Promise<ArcpPayload<'session.authenticate'>> {
  const before = auth.scheme === 'none' ? undefined : await credential.get()
  const token = before === undefined ? '' : ((await credential.renew(before)) ?? before)
  const { challenge = '', scheme = auth.scheme } = payload
  const answer = auth.scheme === 'none' || challenge === '' ? undefined : await auth.answerChallenge?.({ challenge })
  return { challenge_id: challenge, response: answer ?? token, scheme, token, challenge }
}
