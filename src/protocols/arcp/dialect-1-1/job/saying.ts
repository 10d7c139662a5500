import type { JsonObject } from '../../../../base/json-object.ts'
import type { AgentPart } from '../../../../seam/agent-event.ts'
import type { ArcpMessage, ArcpReceivedType } from '../../read/message.ts'
import type { ArcpPayload } from '../../schema/payloads.ts'

/** What an event means, before it is a message of a job. */
export interface Saying {
  readonly type: ArcpReceivedType | 'extension'
  readonly payload: object
  readonly stream_id?: string | undefined
  readonly name?: string | undefined
  readonly part?: AgentPart | undefined
  readonly partId?: string | undefined
}

/** In the words of ARCP 1.0. */
export function said<Type extends ArcpReceivedType>(
  type: Type,
  payload: ArcpPayload<Type>,
  members: Pick<Saying, 'stream_id'> = {},
): Saying {
  return { type, payload, ...members }
}

/** Something that ARCP 1.0 has no word for. @param part how a chat shows it */
export function saidMore(name: string, payload: JsonObject, part: AgentPart, partId?: string): Saying {
  return { type: 'extension', name: `arcpx.event.${name}`, payload, part, ...(partId === undefined ? {} : { partId }) }
}

/** A warning that a user can read. */
export function warned(message: string): Saying {
  return said('log', { level: 'warn', message })
}

export interface MessageMembers {
  readonly id: string
  readonly timestamp: string
  readonly session_id?: string | undefined
  readonly job_id?: string | undefined
  readonly correlation_id?: string | undefined
  readonly subscription_id?: string | undefined
}

/** A message of ARCP 1.0. */
export function toMessage(saying: Saying, members: MessageMembers): ArcpMessage {
  // Type and payload belong together: `said` guarantees it.
  return { arcp: '1.0', ...members, ...saying } as ArcpMessage
}
