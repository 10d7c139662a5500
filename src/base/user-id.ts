/** A lone surrogate: two different ids with one could have the same bytes in a store. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Whether a value that an app returned identifies a user: a non-empty string of well-formed Unicode. */
export function isUserId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !LONE_SURROGATE.test(value)
}

/** The kind of a value that identifies nobody, for a developer. Never the value, which may be a secret. */
export function describeNonUser(value: unknown): string {
  if (value === '') return 'an empty string'
  if (typeof value === 'string') return 'a string that is not well-formed Unicode'
  if (value === null || value === undefined) return String(value)
  return `a value of type ${Array.isArray(value) ? 'array' : typeof value}`
}
