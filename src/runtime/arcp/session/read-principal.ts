import { isJsonObject } from '../../../base/json-object.ts'
import { describeNonUser, isUserId } from '../../../base/user-id.ts'
import { appError } from '../../../server/run/app-error.ts'
import type { ArcpPrincipal, ArcpRuntimeAuth } from './authenticate.ts'

/** Farthest time that a Date can hold, in epoch milliseconds (ECMA-262, time values). */
const LATEST_MS = 8.64e15

/**
 * Reads what a function of the app returned as a principal; undefined is nobody.
 *
 * @throws AgentError `app_error` for anything but an identity
 */
export function readPrincipal(name: keyof ArcpRuntimeAuth, returned: unknown): ArcpPrincipal | undefined {
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
