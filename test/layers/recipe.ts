import { readFileSync } from 'node:fs'
import { ROOT } from './files.ts'

/** The whole change of the recipe for a presentation event, for `git apply`. */
export const EXAMPLE = 'test/layers/rating.patch'

/** The files that the example changes or adds. */
export function filesOfExample(): readonly string[] {
  return [...readFileSync(`${ROOT}${EXAMPLE}`, 'utf8').matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path)
}
