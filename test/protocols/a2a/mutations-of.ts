import fc from 'fast-check'

/** The same values in every run. */
export const SEED = 4711

/** What a value may turn into: good in one place, wrong in another. */
const anything = fc.constantFrom<unknown>(undefined, null, '', 'x', 0, 1.5, true, false, [], ['a'], [1], {}, { a: 1 })

/** The value with each place that has a substitute replaced; `undefined` leaves the key out. */
function substitute(value: unknown, path: string, by: ReadonlyMap<string, unknown>): unknown {
  if (by.has(path)) return by.get(path)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, substitute(each, `${path}.${key}`, by)] as const)
  if (Array.isArray(value)) return entries.map(([, each]) => each)
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, `${path}.${key}`))]
}

/** Copies of a value, lists included, in which up to three places hold something else, or nothing. */
export function mutationsOf(whole: object) {
  return fc
    .array(fc.tuple(fc.constantFrom(...pathsOf(whole)), anything), { maxLength: 3 })
    .map((changes) => substitute(whole, '', new Map(changes)))
}
