import type { JsonObject } from '../../../../base/json-object.ts'
import type { EventBody, EventKind } from '../schema/events.ts'
import type { FramePayload, FrameType } from '../schema/payloads.ts'

/** What the envelope of a message of ARCP 1.1 says beside its type. */
export interface FrameEnvelope {
  readonly id: string
  readonly session_id?: string | undefined
  readonly trace_id?: string | undefined
  readonly job_id?: string | undefined
  readonly event_seq?: number | undefined
}

/** What a client reads of a message that tells what a job may do: everything but the credentials. */
type WithoutSecrets<Type extends FrameType> = Omit<FramePayload<Type>, 'credentials'>

/** A message of ARCP 1.1, as a client reads it. */
export type Frame =
  | {
      readonly [Type in FrameType]: FrameEnvelope & { readonly type: Type; readonly payload: WithoutSecrets<Type> }
    }[FrameType]
  | (FrameEnvelope & { readonly type: 'extension'; readonly name: string; readonly payload: JsonObject })

/** A message of one type. */
export type FrameOf<Type extends Frame['type']> = Extract<Frame, { type: Type }>

/** A counted message, which every session that follows the job receives. */
export type JobFrame = FrameOf<'job.event' | 'job.result' | 'job.error'>

/** An event of a kind of the specification, or of another one: `unknown`. */
export type JobEvent =
  | { readonly [Kind in EventKind]: { readonly kind: Kind; readonly body: EventBody<Kind> } }[EventKind]
  | { readonly kind: 'unknown'; readonly name: string; readonly body: unknown }
