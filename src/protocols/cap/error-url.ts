import { errorInit } from '../../base/agent-error.ts'
import type { CapError } from './errors.ts'
import { createCapError } from './errors.ts'

/** What says nothing about the address. */
const WITHOUT_ADDRESS: ReadonlySet<string> = new Set(['app_error', 'invalid_request', 'busy'])

/** Says in `details.url` where the request went, for debugging: without user, password, query and fragment, which may be secret. */
export function withUrl(error: CapError, url: string): CapError {
  if (WITHOUT_ADDRESS.has(error.code) || error.details?.['url'] !== undefined) return error
  return createCapError({ ...errorInit(error), details: { ...error.details, url: addressOf(url) } })
}

/** Path of the request, without query and fragment, which may be secret. */
export function urlPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : addressOf(url)
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) return url.replace(/[?#].*$/s, '')
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
