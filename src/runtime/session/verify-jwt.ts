import { jwtVerify } from 'jose'
import type { ArcpJwtOptions, ArcpPrincipal } from './authenticate.ts'

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
