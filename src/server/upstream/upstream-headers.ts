import { resolveHeaders } from '../../wire/request-headers.ts'
import { appError } from '../run/app-error.ts'

/**
 * Headers that the app gives for a request to the upstream, by their names in lower case.
 *
 * @throws AgentError `app_error` for something else than headers, `invalid_config` for one that HTTP does not allow
 */
export async function upstreamHeaders(given: unknown): Promise<Record<string, string>> {
  return lowerCased(await resolveHeaders(checkedHeaders(given), undefined))
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Without these headers the upstream would take the request for an anonymous one, or for that of its default user. */
function checkedHeaders(headers: unknown): Record<string, string> {
  if (
    typeof headers === 'object' &&
    headers !== null &&
    !Array.isArray(headers) &&
    !(headers instanceof Headers) &&
    Object.values(headers).every((value) => typeof value === 'string')
  ) {
    // Every value was just looked at.
    return headers as Record<string, string>
  }
  throw appError(
    'headers gave something else than an object whose values are all strings, so the upstream was not asked. Return an object; leave a header out rather than setting it to undefined.',
  )
}
