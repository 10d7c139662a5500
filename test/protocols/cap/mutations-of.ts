import fc from 'fast-check'

/** The same values in every run. */
export const SEED = 4711
export const UUID = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'

/** What a value may turn into: good in one place, wrong in another. */
const anything = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  'x',
  UUID,
  UUID.toUpperCase(),
  `{${UUID}}`,
  '2026-03-01T08:15:00Z',
  'yes',
  'ok',
  0,
  1,
  1.5,
  '7',
  true,
  [],
  ['a'],
  [1],
  {},
  { a: 1 },
)

/** The value with each place that has a substitute replaced; `undefined` leaves the key out. */
function substitute(value: unknown, path: string, by: ReadonlyMap<string, unknown>): unknown {
  if (by.has(path)) return by.get(path)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, each]) => [key, substitute(each, `${path}.${key}`, by)] as const)
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined))
}

function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  return [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, `${path}.${key}`))]
}

/** Copies of a value in which up to four places hold something else, or nothing. */
export function mutationsOf(whole: object) {
  return fc
    .array(fc.tuple(fc.constantFrom(...pathsOf(whole)), anything), { maxLength: 4 })
    .map((changes) => substitute(whole, '', new Map(changes)))
}
