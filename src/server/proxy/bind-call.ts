import { type Digest, toUuid } from '../../base/digest.ts'
import { type JsonObject, isJsonObject } from '../../base/json-object.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import type { AssistCall } from '../http/read-assist-call.ts'

/** A call as the upstream gets it: under ids that belong to one user. */
export interface BoundCall {
  readonly requestId: string
  readonly body: string
}

const REQUEST_IDS = ['request_id', 'root_request_id', 'parent_request_id']

/** The conversation: a UUID today, any text in older forms of a request. */
const CONVERSATION_IDS = ['session_id', 'conversation_id']

/** Where forms of a request keep metadata. */
const METADATA = ['metadata', 'meta']

/**
 * Gives a call the ids it has upstream. They are made of the user and the client's own ids, so that the same user comes back
 * to the same run and the same conversation from any process, and no request of another user can name them.
 *
 * @param keepConversationIds the upstream separates the conversations of users
 */
export async function bindCall(
  call: AssistCall,
  user: string,
  digest: Digest,
  keepConversationIds = false,
): Promise<BoundCall> {
  const bind = (id: string): Promise<string> => bindId(id, user, digest)
  const bindUuid = async (id: unknown): Promise<unknown> => {
    const uuid = canonicalUuid(id)
    return uuid === undefined ? id : bind(uuid)
  }
  const bindConversation = async (ids: JsonObject): Promise<void> => {
    for (const name of keepConversationIds ? [] : CONVERSATION_IDS) {
      const id = ids[name]
      if (typeof id === 'string') ids[name] = await bind(canonicalUuid(id) ?? id)
    }
  }

  const requestId = await bind(call.requestId)
  const payload = copyOf(call.body['payload'])
  for (const name of REQUEST_IDS) if (name in payload) payload[name] = await bindUuid(payload[name])
  for (const name of METADATA) {
    const metadata = payload[name]
    if (!isJsonObject(metadata) || !Array.isArray(metadata['replaces'])) continue
    payload[name] = { ...metadata, replaces: await Promise.all(metadata['replaces'].map(bindUuid)) }
  }
  const context = copyOf(call.body['context'])
  await bindConversation(payload)
  // Empty text is a conversation of all users in the payload, and none in the context.
  if (context['session_id'] !== '') await bindConversation(context)
  return { requestId, body: JSON.stringify({ ...call.body, request_id: requestId, context, payload }) }
}

function copyOf(value: unknown): JsonObject {
  return isJsonObject(value) ? { ...value } : {}
}

/** The id that a run, a request or a conversation of a user has upstream. */
export async function bindId(id: string, user: string, digest: Digest): Promise<string> {
  return toUuid(await digest(JSON.stringify(['capstan proxy', user, id])))
}
