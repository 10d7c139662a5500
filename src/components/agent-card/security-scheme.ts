import { isJsonObject } from '../../base/json-object.ts'

/** The wrappers of A2A 1.0, and the names of OpenAPI that A2A 0.3 has. */
const KINDS: ReadonlyMap<string, 'apiKey' | 'http' | 'OAuth 2.0' | 'OpenID Connect' | 'Mutual TLS'> = new Map([
  ['apiKeySecurityScheme', 'apiKey'],
  ['httpAuthSecurityScheme', 'http'],
  ['oauth2SecurityScheme', 'OAuth 2.0'],
  ['openIdConnectSecurityScheme', 'OpenID Connect'],
  ['mtlsSecurityScheme', 'Mutual TLS'],
  ['apiKey', 'apiKey'],
  ['http', 'http'],
  ['oauth2', 'OAuth 2.0'],
  ['openIdConnect', 'OpenID Connect'],
  ['mutualTLS', 'Mutual TLS'],
])

/** A way to sign in by its common name; of a kind that is not known, by the name that the agent gives it. */
export function securityLabel(name: string, scheme: unknown, apiKey: string): string {
  if (!isJsonObject(scheme)) return name
  const wrapper = Object.keys(scheme).find((key) => KINDS.has(key) && isJsonObject(scheme[key]))
  const kind = KINDS.get(wrapper ?? String(scheme.type))
  const inner = wrapper === undefined ? scheme : scheme[wrapper]
  const word = isJsonObject(inner) && typeof inner.scheme === 'string' ? inner.scheme : ''
  switch (kind) {
    case undefined:
      return name
    case 'apiKey':
      return apiKey
    case 'http':
      return word === '' ? 'HTTP' : `HTTP ${word}`
    default:
      return kind
  }
}
