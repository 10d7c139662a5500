/** States of a job (RFC section 10.2). The last three are ends. */
export const JOB_STATES = [
  'accepted',
  'queued',
  'running',
  'blocked',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const

/** Where a job is. */
export type ArcpJobState = (typeof JOB_STATES)[number]
