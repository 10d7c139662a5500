import type { Digest } from '../../base/digest.ts'
import { toUuid } from '../http/name-uuid.ts'

/** The id that a run, a request or a conversation of a user has upstream. */
export async function bindId(id: string, user: string, digest: Digest): Promise<string> {
  return toUuid(await digest(JSON.stringify(['capstan proxy', user, id])))
}
