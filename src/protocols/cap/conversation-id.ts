import { canonicalUuid } from './values/scalars.ts'

/** What is wrong with the id of a conversation; undefined when CAP can carry it. */
export function conversationIdFault(id: string): string | undefined {
  if (canonicalUuid(id)?.length === id.length) return undefined
  return `conversationId is ${JSON.stringify(id)}, but CAP carries it as a UUID. Make ids with crypto.randomUUID(), once per conversation, and keep them.`
}
