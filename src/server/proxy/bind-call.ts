import type { Digest } from '../../base/digest.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import type { AssistCall } from '../http/read-assist-call.ts'
import { bindId } from '../upstream/bind-id.ts'

/** A call as the upstream gets it: under ids that belong to one user. */
export interface BoundCall {
  readonly requestId: string
  readonly body: string
}

const IDS = ['request_id', 'root_request_id', 'parent_request_id']

/**
 * Gives a call the ids it has upstream. They are made of the user and the client's own ids, so that the same user comes back
 * to the same run from any process, and no request of another user can name it.
 */
export async function bindCall(call: AssistCall, user: string, digest: Digest): Promise<BoundCall> {
  const bind = (id: string): Promise<string> => bindId(id, user, digest)
  const requestId = await bind(call.requestId)
  const payload: JsonObject = isJsonObject(call.body['payload']) ? { ...call.body['payload'] } : {}
  for (const name of IDS) {
    const id = canonicalUuid(payload[name])
    if (id !== undefined) payload[name] = await bind(id)
  }
  return { requestId, body: JSON.stringify({ ...call.body, request_id: requestId, payload }) }
}
