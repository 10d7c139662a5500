import { AgentError } from '../../base/agent-error.ts'
import { describeNonUser, isUserId } from '../../base/user-id.ts'
import { appError } from '../run/app-error.ts'

/**
 * Says who is calling: the name of the caller, never empty, or a Response that refuses the call. Returning anything else,
 * nothing included, is an error: the call is answered by 500 and nothing runs.
 */
export type Authorize = (http: Request) => string | Response | Promise<string | Response>

/**
 * Checks when the server starts that there is a function to ask.
 *
 * @throws AgentError `invalid_config`
 */
export function checkAuthorize(authorize: unknown): void {
  if (typeof authorize === 'function') return
  throw new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message:
      'authorize is missing or is no function, so anybody could spend what the secret of the agent pays for. Give a function that returns the id of the signed-in user, or a Response with status 401.',
  })
}

/**
 * Asks who is calling.
 *
 * @throws AgentError `app_error` when the answer is neither a name nor a Response
 */
export async function callerIdentity(authorize: Authorize, http: Request): Promise<string | Response> {
  const caller: unknown = await authorize(http)
  if (caller instanceof Response) return caller
  if (isUserId(caller)) return caller
  throw appError(
    `authorize returned ${describeNonUser(caller)}, which is neither the name of a caller nor a Response of this platform, so the call was refused. Return a non-empty string, or a Response such as new Response(null, { status: 401 }).`,
  )
}
