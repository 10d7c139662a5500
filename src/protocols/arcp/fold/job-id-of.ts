import type { ArcpMessage } from '../read/message.ts'
import type { ArcpState } from './arcp-state.ts'

/** The job that a message is about, by its envelope or its stream; undefined when it is about none. */
export function jobIdOf(state: Pick<ArcpState, 'streams'>, message: ArcpMessage): string | undefined {
  if (message.job_id !== undefined) return message.job_id
  if (message.type === 'job.accepted' || message.type === 'job.started') return message.payload.job_id
  if (message.type === 'stream.open') return message.payload.related_job_id
  return message.stream_id === undefined ? undefined : state.streams.get(message.stream_id)?.jobId
}
