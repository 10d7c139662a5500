import { isJsonObject } from '../../base/json-object.ts'
import type { ServiceRequestInput } from './schema/request.ts'

/** The ids by which requests of one task hang together. A parent needs a root. */
interface RequestLineage {
  readonly request_id?: string | undefined
  readonly root_request_id?: string | null | undefined
  readonly parent_request_id?: string | null | undefined
}

/** The question is in the payload itself: the form of CAP's wire format document, and of v0.15 to v0.18 (CAP section 3.4). */
export interface QueryServiceRequest {
  readonly request_id: string
  /** Any object; v0.17 and v0.18 want `session_id` and `user` with `id` and `name`. */
  readonly context: Readonly<Record<string, unknown>>
  readonly payload: RequestLineage & {
    readonly query: string
    /** Ids of files uploaded elsewhere. */
    readonly files?: readonly string[] | undefined
    readonly conversation_id?: string | null | undefined
    readonly session_id?: string | null | undefined
    readonly meta?: Readonly<Record<string, unknown>> | undefined
  }
}

/** The identity of the user is in the context: the form of v0.19 to v0.24 (CAP section 3.4). */
export interface IdentityServiceRequest {
  readonly request_id: string
  readonly context: {
    readonly session_id: string
    readonly user: { readonly id: string; readonly name: string; readonly role?: string | null | undefined }
    readonly agent?:
      | { readonly id: string; readonly name: string; readonly role?: string | null | undefined }
      | null
      | undefined
  }
  readonly payload: RequestLineage & {
    /** UUID. */
    readonly session_id: string
    readonly payload: Readonly<Record<string, unknown>>
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly created_at?: string | undefined
  }
}

/** A request in any documented form. */
export type AnyServiceRequest = ServiceRequestInput | QueryServiceRequest | IdentityServiceRequest

/** Which form a request claims to have, by its own keys alone. What it claims may still be malformed. */
export function requestFormOf(request: unknown): 'today' | 'query' | 'identity' {
  const payload = keyOf(request, 'payload')
  if (keyOf(payload, 'query') !== undefined && keyOf(payload, 'payload') === undefined) return 'query'
  return keyOf(keyOf(keyOf(request, 'context'), 'user'), 'id') === undefined ? 'today' : 'identity'
}

function keyOf(value: unknown, key: string): unknown {
  return isJsonObject(value) ? value[key] : undefined
}
