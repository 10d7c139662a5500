import { capMarks } from '../../base/cap-marks.ts'
import type { Lease } from '../../seam/lease.ts'
import { shorten } from '../error-details/describe-error.ts'

const LONGEST_NAME = 80

/** What is allowed, in a sentence of the app. */
export function leaseName({ name, resource }: Pick<Lease, 'name' | 'resource'>): string {
  return capMarks(shorten(resource === undefined ? name : `${name} ${resource}`, LONGEST_NAME))
}
