import { ArcpFault } from './arcp-fault.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { describeNonUser, isUserId } from '../../base/user-id.ts'
import { appError } from '../../server/run/app-error.ts'
import type { ArcpPrincipal } from './scope.ts'
import type { ArcpJwtOptions } from './verify-jwt.ts'

/** Farthest time that a Date can hold, in epoch milliseconds (ECMA-262, time values). */
const LATEST_MS = 8.64e15

/**
 * Reads what a function of the app returned as a principal; undefined is nobody.
 *
 * @throws AgentError `app_error` for anything but an identity
 */
function readPrincipal(name: keyof ArcpRuntimeAuth, returned: unknown): ArcpPrincipal | undefined {
  if (returned === undefined) return undefined
  if (isUserId(returned)) return { id: returned }
  if (!isJsonObject(returned)) throw noIdentity(name, describeNonUser(returned))
  const { id, expiresAt } = returned
  if (!isUserId(id)) throw noIdentity(name, `an object whose id is ${describeNonUser(id)}`)
  if (expiresAt === undefined) return { id }
  if (typeof expiresAt === 'number' && Math.abs(expiresAt) <= LATEST_MS) return { id, expiresAt }
  throw noIdentity(name, 'an object whose expiresAt is no time')
}

function noIdentity(name: string, returned: string): Error {
  return appError(
    `auth.${name} returned ${returned}, so the session was refused. Return the id of the user, an object with id and, if the proof expires, expiresAt in epoch milliseconds, or undefined for nobody.`,
  )
}

/**
 * What a verifier returns: the id of the user, the id with an expiry, or undefined for nobody. Any other value, such as `false`, `{}` or
 * an empty string, is refused as nobody and reported as an error of the app.
 */
export type ArcpVerified = string | ArcpPrincipal | undefined

/** What a challenge is answered with. */
export interface ArcpChallengeAnswer {
  /** The text that was sent as the challenge: new for each. */
  readonly challenge: string
  readonly response: string
  readonly scheme: 'bearer' | 'signed_jwt'
  /** The token of the session, which `bearer` or `signedJwt` has accepted. Absent: it is checked by nobody else. */
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
   * Asks for an answer to a challenge, when a session is opened and at each refresh. `true`: the token is the answer. A function checks an
   * answer in addition to the token, which `bearer` or `signedJwt` verifies: both have to be of the same principal.
   *
   * @default false
   */
  readonly challenge?: boolean | ((answer: ArcpChallengeAnswer) => ArcpVerified | Promise<ArcpVerified>) | undefined
}

/** A proof unchanged. */
export interface ArcpProof {
  readonly scheme: string
  readonly token?: string | undefined
}

/** What a check needs of the runtime. */
export interface ProofChecks {
  /** Epoch milliseconds. */
  date(): number
  /** Reports a mistake of the app to its developers. */
  report(error: unknown): void
}

/** Who a proof is of; undefined for a session without a name. @throws ArcpFault UNAUTHENTICATED, UNIMPLEMENTED, UNAVAILABLE */
export async function authenticate(
  auth: ArcpRuntimeAuth,
  { scheme, token }: ArcpProof,
  checks: ProofChecks,
): Promise<ArcpPrincipal | undefined> {
  switch (scheme) {
    case 'none':
      if (auth.none === true) return undefined
      throw refused('This runtime has no anonymous sessions.')
    case 'bearer':
    case 'signed_jwt':
      return authenticateToken(auth, scheme, token, checks)
    default:
      throw new ArcpFault('UNIMPLEMENTED', 'This scheme is not supported. Supported: none, bearer and signed_jwt.')
  }
}

async function authenticateToken(
  { bearer, signedJwt }: ArcpRuntimeAuth,
  scheme: 'bearer' | 'signed_jwt',
  token: string | undefined,
  checks: ProofChecks,
): Promise<ArcpPrincipal> {
  if ((scheme === 'bearer' ? bearer : signedJwt) === undefined) throw refused(`The scheme ${scheme} is not accepted.`)
  if (token === undefined) throw refused('The token is missing.')
  if (scheme === 'bearer') return verified('bearer', async () => bearer?.(token), checks)
  // Loaded on demand: most runtimes have tokens of another kind.
  const { verifyJwt } = await import('./verify-jwt.ts')
  return verified('signedJwt', async () => signedJwt && verifyJwt(token, signedJwt, checks.date()), checks)
}

/**
 * Who has answered a challenge. Where a function of the app checks the answer, the token is verified as well, and both are of one
 * principal, whose proof expires with the first of them.
 *
 * @throws ArcpFault UNAUTHENTICATED, UNAVAILABLE
 */
export async function checkChallenge(
  auth: ArcpRuntimeAuth,
  answer: ArcpChallengeAnswer,
  checks: ProofChecks,
): Promise<ArcpPrincipal> {
  const { challenge } = auth
  const { scheme, token, response } = answer
  if (typeof challenge !== 'function') return authenticateToken(auth, scheme, response, checks)
  const owner = await authenticateToken(auth, scheme, token, checks)
  const answerer = await verified('challenge', async () => challenge(answer), checks)
  if (answerer.id !== owner.id) throw refused('The answer to the challenge is of another principal than the token.')
  return { id: owner.id, expiresAt: earlier(owner.expiresAt, answerer.expiresAt) }
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}

/** The principal that a verifier returns. What it throws stays on this side: it may hold the token. */
async function verified(
  name: keyof ArcpRuntimeAuth,
  verify: () => Promise<unknown>,
  { date, report }: ProofChecks,
): Promise<ArcpPrincipal> {
  const returned = await verify().catch((cause: unknown) => {
    if (cause instanceof ArcpFault) throw cause
    throw new ArcpFault('UNAVAILABLE', 'The proof could not be checked.', { retryable: true })
  })
  let principal: ArcpPrincipal | undefined
  try {
    principal = readPrincipal(name, returned)
  } catch (mistake) {
    report(mistake)
  }
  if (principal === undefined) throw refused('The token is not valid.')
  if (principal.expiresAt !== undefined && principal.expiresAt <= date()) throw refused('The token has expired.')
  return principal
}

function refused(message: string): ArcpFault {
  return new ArcpFault('UNAUTHENTICATED', message)
}
