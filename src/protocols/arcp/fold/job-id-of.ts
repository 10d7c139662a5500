import type { ArcpMessage } from '../read/message.ts'
import type { ArcpState } from './arcp-state.ts'

type Known = Pick<ArcpState, 'streams' | 'prompts' | 'leases'>

/** The job that a message is about, by its envelope, its stream or its lease; undefined when it is about none. */
export function jobIdOf({ streams, prompts, leases }: Known, message: ArcpMessage): string | undefined {
  if (message.job_id !== undefined) return message.job_id
  switch (message.type) {
    case 'job.accepted':
    case 'job.started':
      return message.payload.job_id
    case 'stream.open':
      return message.payload.related_job_id
    case 'lease.granted':
      return prompts.get(message.correlation_id ?? '')?.jobId
    case 'lease.extended':
    case 'lease.revoked':
      return leases.get(message.payload.lease_id)?.jobId
    default:
      return message.stream_id === undefined ? undefined : streams.get(message.stream_id)?.jobId
  }
}
