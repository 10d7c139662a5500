import { isJsonObject } from '../../base/json-object.ts'

/** Who a session belongs to. */
export interface ArcpPrincipal {
  /** Never empty. */
  readonly id: string
  /** Epoch milliseconds at which the proof expires and has to be given again. Absent: never. */
  readonly expiresAt?: number | undefined
}

/** Whom a session belongs to. Sessions that share a name may resume, observe and answer each other. */
export interface Scope {
  /** The name of the principal. An anonymous session has its own name, and those of the sessions that it continues with. */
  readonly names: readonly string[]
  readonly isAnonymous: boolean
}

/** Most sessions that an anonymous one continues with: the oldest are forgotten. */
const KEPT = 256

export function isShared(one: Scope, other: Scope): boolean {
  return one.isAnonymous === other.isAnonymous && one.names.some((name) => other.names.includes(name))
}

/** The scope of an anonymous session that continues with another one as well. */
export function joinScopes(own: Scope, other: Scope): Scope {
  return { ...own, names: [...new Set([...own.names, ...other.names])].slice(0, KEPT) }
}

/** The owner of a session, as passed to apps. */
export function scopeName({ names }: Scope): string {
  return names[0] ?? ''
}

/**
 * The names of a scope as keys: a principal that has the name of an anonymous session is not that session. The first one is that of
 * whom the session belongs to.
 */
export function ownerKeys({ names, isAnonymous }: Scope): readonly string[] {
  return names.map((name) => JSON.stringify([isAnonymous ? 'anonymous' : 'principal', name]))
}

/** Whom the use of a session counts for. */
export function ownerKey(scope: Scope): string {
  return ownerKeys({ ...scope, names: [scopeName(scope)] }).join('')
}

/** Names of anonymous sessions, as passed to apps. */
const ANONYMOUS = 'anonymous:'

/** The name of an anonymous session. */
export function anonymousName(sessionId: string): string {
  return ANONYMOUS + sessionId
}

/** Whether the name of a scope means this scope alone: no app can tell a principal of such a name from an anonymous session. */
export function isUnambiguous(scope: Scope): boolean {
  return scope.isAnonymous || !scopeName(scope).startsWith(ANONYMOUS)
}

/** The principal; undefined for an anonymous session. */
export function principalOf(scope: Scope): string | undefined {
  return scope.isAnonymous ? undefined : scopeName(scope)
}

/** A scope as a process has logged it; undefined for anything else. */
export function readScope(value: unknown): Scope | undefined {
  if (!isJsonObject(value) || !Array.isArray(value.names) || typeof value.isAnonymous !== 'boolean') return undefined
  return { names: value.names.filter((name: unknown) => typeof name === 'string'), isAnonymous: value.isAnonymous }
}
