import { isJsonObject } from '../../../base/json-object.ts'

/** Whom a session belongs to. Sessions that share a name may resume, observe and answer each other. */
export interface Scope {
  /** The name of the principal. An anonymous session has a name of its own, and those of the sessions that it goes on with. */
  readonly names: readonly string[]
  readonly isAnonymous: boolean
}

/** Most sessions that an anonymous one goes on with: the oldest are forgotten. */
const KEPT = 256

export function isShared(one: Scope, other: Scope): boolean {
  return one.isAnonymous === other.isAnonymous && one.names.some((name) => other.names.includes(name))
}

/** The scope of an anonymous session that goes on with another one as well. */
export function joinScopes(own: Scope, other: Scope): Scope {
  return { ...own, names: [...new Set([...own.names, ...other.names])].slice(0, KEPT) }
}

/** What apps are told of whom a session belongs to. */
export function scopeName({ names }: Scope): string {
  return names[0] ?? ''
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
