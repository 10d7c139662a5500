import { createRandom } from './create-random.ts'

/** UUIDs that follow from a seed and do not count up: pages that are loaded one after the other make none of the same ids. */
export function createRandomUuid(seed = 1): () => string {
  const random = createRandom(seed)
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('')
  return () => `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`
}
