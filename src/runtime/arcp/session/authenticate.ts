import { ArcpFault } from '../message/arcp-fault.ts'

/** Who a session belongs to. */
export interface ArcpPrincipal {
  readonly id: string
  /** Epoch milliseconds at which the proof is over, and has to be given again. Absent: never. */
  readonly expiresAt?: number | undefined
}

/** What a verifier says of a token: the name of its user, who that is and until when, or nobody. */
export type ArcpVerified = string | ArcpPrincipal | undefined

/** What a challenge is answered with. */
export interface ArcpChallengeAnswer {
  /** The text that was sent as the challenge: new for each. */
  readonly challenge: string
  readonly response: string
  readonly scheme: 'bearer' | 'signed_jwt'
  /** The token of `session.open`. Absent: it had none. */
  readonly token?: string | undefined
}

/** How clients prove who they are (RFC section 8). A scheme that is left out is refused. */
export interface ArcpRuntimeAuth {
  /** Lets everybody in, without a name. What such a session has is reached by its id alone. @default false */
  readonly none?: boolean | undefined
  /** Tells whose token it is. Absent: the scheme `bearer` is refused. */
  readonly bearer?: ((token: string) => ArcpVerified | Promise<ArcpVerified>) | undefined
  /** Checks tokens of the scheme `signed_jwt`, signed with HS256; their subject is the principal. Absent: the scheme is refused. */
  readonly signedJwt?: ArcpJwtOptions | undefined
  /**
   * Asks for a second proof: `true` has the token sent in answer to the challenge, a function checks an answer of its own kind.
   *
   * @default false
   */
  readonly challenge?: boolean | ((answer: ArcpChallengeAnswer) => ArcpVerified | Promise<ArcpVerified>) | undefined
}

/** How tokens of the scheme `signed_jwt` are checked. */
export interface ArcpJwtOptions {
  /** The shared secret, of 32 bytes and more. */
  readonly secret: string | Uint8Array
  /** Who the tokens are for. Absent: anybody. */
  readonly audience?: string | undefined
  /** Who issues them. Absent: anybody. */
  readonly issuer?: string | undefined
}

/** A proof as it came. */
export interface ArcpProof {
  readonly scheme: string
  readonly token?: string | undefined
}

/** Who a proof is of; undefined for a session without a name. @throws ArcpFault UNAUTHENTICATED, UNIMPLEMENTED */
export async function authenticate(
  auth: ArcpRuntimeAuth,
  { scheme, token }: ArcpProof,
  date: () => number,
): Promise<ArcpPrincipal | undefined> {
  switch (scheme) {
    case 'none':
      if (auth.none === true) return undefined
      throw refused('This runtime has no anonymous sessions.')
    case 'bearer':
      if (auth.bearer === undefined) throw refused('The scheme bearer is not accepted.')
      if (token === undefined) throw refused('The token is missing.')
      return toPrincipal(await verified(async () => auth.bearer?.(token)), date())
    case 'signed_jwt': {
      const { signedJwt } = auth
      if (signedJwt === undefined) throw refused('The scheme signed_jwt is not accepted.')
      if (token === undefined) throw refused('The token is missing.')
      // Loaded on demand: most runtimes have tokens of another kind.
      const { verifyJwt } = await import('./verify-jwt.ts')
      return toPrincipal(await verifyJwt(token, signedJwt, date()), date())
    }
    default:
      throw new ArcpFault('UNIMPLEMENTED', 'This scheme is not supported. Supported: none, bearer and signed_jwt.')
  }
}

/** Who has answered a challenge. @throws ArcpFault UNAUTHENTICATED */
export async function checkChallenge(
  auth: ArcpRuntimeAuth,
  answer: ArcpChallengeAnswer,
  date: () => number,
): Promise<ArcpPrincipal | undefined> {
  const { challenge } = auth
  if (typeof challenge === 'function') return toPrincipal(await verified(async () => challenge(answer)), date())
  return authenticate(auth, { scheme: answer.scheme, token: answer.response }, date)
}

/** What a verifier of the app throws says nothing to the client: it may hold the token. */
async function verified(verify: () => Promise<ArcpVerified>): Promise<ArcpVerified> {
  try {
    return await verify()
  } catch (cause) {
    if (cause instanceof ArcpFault) throw cause
    throw new ArcpFault('UNAVAILABLE', 'The proof could not be checked.', { retryable: true })
  }
}

function toPrincipal(said: ArcpVerified, now: number): ArcpPrincipal {
  const principal = typeof said === 'string' ? { id: said } : said
  if (principal === undefined || principal.id === '') throw refused('The token is not valid.')
  if (principal.expiresAt !== undefined && principal.expiresAt <= now) throw refused('The token has expired.')
  return principal
}

function refused(message: string): ArcpFault {
  return new ArcpFault('UNAUTHENTICATED', message)
}
