import { messagesOf } from '../conversation/conversation-message.ts'
import type { ConversationStore } from '../conversation/conversation-store.ts'
import { conversationTitle } from '../conversation/conversation-title.ts'
import { newestTurns } from '../conversation/shown-turns.ts'
import { HttpRefusal } from '../http/http-refusal.ts'
import type { IncomingCall } from '../http/incoming-call.ts'
import { invalidRequest, readJsonBody } from '../http/read-json-body.ts'
import type { ConversationRoute } from '../http/routes.ts'

export interface ConversationsCall {
  readonly store: ConversationStore
  readonly owner: string
  readonly route: ConversationRoute
  readonly http: IncomingCall
  readonly maxBodyBytes: number
}

/** What a list of threads shows at most. */
const MOST_LISTED = 200

/**
 * Lists, reads, renames and deletes the conversations of one user. A conversation is read as a page shows it: along its newest
 * branch, its answers as far as they were said.
 *
 * @throws HttpRefusal 404 for a conversation that this user does not have, 400 for a title that is none
 */
export async function answerConversations(call: ConversationsCall): Promise<Response> {
  const { store, owner, route, http, maxBodyBytes } = call
  const key = { owner, id: route.id }
  switch (route.conversations) {
    case 'list':
      return json({ conversations: await store.list(owner, MOST_LISTED) })
    case 'read': {
      const turns = newestTurns(await store.turns(key))
      if (turns.length === 0) throw conversationNotFound()
      return json({ messages: messagesOf(turns) })
    }
    case 'rename': {
      const { title } = await readJsonBody(http, maxBodyBytes)
      const text = typeof title === 'string' ? conversationTitle(title) : ''
      if (text === '') throw invalidRequest('The request body has no title. Send { "title": "…" }.')
      if ((await store.turns(key)).length === 0) throw conversationNotFound()
      await store.rename(key, text)
      return json({ result: 'accepted' })
    }
    case 'remove':
      await store.remove(key)
      return json({ result: 'accepted' })
  }
}

function json(body: unknown): Response {
  return Response.json(body, { headers: { 'cache-control': 'no-store' } })
}

function conversationNotFound(): HttpRefusal {
  return new HttpRefusal({
    status: 404,
    code: 'conversation_not_found',
    message: 'There is no conversation of this id for this caller.',
  })
}
