import { AgentError } from '../../base/agent-error.ts'
import { HttpRefusal } from '../http/http-refusal.ts'

/** Headers of a client that are forwarded to the upstream without being listed: what the user prefers, and where a trace began. */
const ALWAYS = ['accept-language', 'traceparent', 'tracestate']
/** Made again for every request, or about one connection only. */
const NEVER = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'proxy-authorization',
  'proxy-connection',
  'accept-encoding',
  'origin',
  'referer',
])
const CONTENT = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/**
 * What of a client's headers the upstream may see.
 *
 * @throws HttpRefusal 400 for a value with a line break or another control character: it could write its own headers
 */
export function forwardedHeaders(headers: Headers, listed: readonly string[]): Record<string, string> {
  const all: Record<string, string> = {}
  for (const name of [...ALWAYS, ...listed.map((each) => each.toLowerCase())]) {
    const value = headers.get(name)
    if (value === null) continue
    if (!CONTENT.test(value))
      throw new HttpRefusal({
        status: 400,
        code: 'invalid_request',
        message: `The header ${name} holds a character that HTTP does not allow.`,
      })
    all[name] = value
  }
  return all
}

/** @throws AgentError `invalid_config` for a header that no proxy may hand on */
export function checkForwarded(listed: readonly string[]): readonly string[] {
  const wrong = listed.find((name) => NEVER.has(name.toLowerCase()) || !/^[a-z0-9-]+$/i.test(name))
  if (wrong === undefined) return listed
  throw new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `forwardHeaders names ${JSON.stringify(wrong)}, which belongs to one connection and cannot be handed on. Leave it out.`,
  })
}
