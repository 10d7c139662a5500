import { AgentError } from '../base/agent-error.ts'

/** Extra request headers, fixed or asked for at every attempt. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

/** The headers every call carries: extra ones first, the credential last, so that neither hides the other. */
export async function resolveHeaders(
  headers: HeaderSource | undefined,
  key: string | undefined,
): Promise<Record<string, string>> {
  const all: Record<string, string> = { ...(typeof headers === 'function' ? await headers() : headers) }
  if (key !== undefined && key !== '') all['authorization'] = `Bearer ${key}`
  for (const [name, value] of Object.entries(all)) assertHeader(name, value)
  return all
}

/** A line break in a credential would let it write headers of its own; other odd characters make fetch throw untyped. */
function assertHeader(name: string, value: string): void {
  if (/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value) && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return
  throw new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `The request header ${JSON.stringify(name)} has a name or value that HTTP does not allow (a line break, a control character or text outside Latin-1). Check apiKey and headers.`,
  })
}
