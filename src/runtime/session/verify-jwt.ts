import { jwtVerify } from 'jose'
import type { ArcpPrincipal } from './scope.ts'

/** How tokens of the scheme `signed_jwt` are checked. */
export interface ArcpJwtOptions {
  /** The shared secret, of 32 bytes and more. */
  readonly secret: string | Uint8Array
  /** Who the tokens are for. Absent: anybody. */
  readonly audience?: string | undefined
  /** Who issues them. Absent: anybody. */
  readonly issuer?: string | undefined
}

/** Whose token it is; undefined when signature, times, audience or issuer are not right. */
export async function verifyJwt(
  token: string,
  { secret, audience, issuer }: ArcpJwtOptions,
  now: number,
): Promise<ArcpPrincipal | undefined> {
  const key = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      currentDate: new Date(now),
      ...(audience === undefined ? {} : { audience }),
      ...(issuer === undefined ? {} : { issuer }),
    })
    const { sub, exp } = payload
    return typeof sub !== 'string' || sub === ''
      ? undefined
      : { id: sub, ...(exp === undefined ? {} : { expiresAt: exp * 1000 }) }
  } catch {
    // Why it is not right is of use to nobody but an attacker.
    return undefined
  }
}
