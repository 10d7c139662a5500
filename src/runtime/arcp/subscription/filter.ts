import type { ArcpFilter } from '../../../protocols/arcp/schema/subscriptions.ts'
import type { ArcpOutgoing } from '../../../protocols/arcp/write-message.ts'

const PRIORITIES = ['low', 'normal', 'high', 'critical'] as const

/** Whether a message passes a filter (RFC section 13): its fields are ANDed, the items of a list ORed. */
export function passes(filter: ArcpFilter, message: ArcpOutgoing): boolean {
  const { session_id, job_id, stream_id, trace_id, type } = message
  return (
    isIn(filter.session_id, session_id) &&
    isIn(filter.job_id, job_id) &&
    isIn(filter.stream_id, stream_id) &&
    isIn(filter.trace_id, trace_id) &&
    isIn(filter.types, type) &&
    PRIORITIES.indexOf(message.priority ?? 'normal') >= PRIORITIES.indexOf(filter.min_priority ?? 'low')
  )
}

function isIn(wanted: readonly string[] | undefined, value: string | undefined): boolean {
  return wanted === undefined || (value !== undefined && wanted.includes(value))
}
