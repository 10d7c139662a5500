/** The response ended cleanly and the run did not. */
export const TRUNCATED = {
  kind: 'connection',
  code: 'truncated',
  severity: 'TRANSIENT',
  message: 'The connection ended before the agent had finished, so the answer is not complete.',
} as const

export const SILENT = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'Nothing whole was heard from the agent for too long, so the connection counts as lost.',
} as const

export const SLEPT = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'This device was asleep, so the connection is taken up anew.',
} as const

export const BROKEN = {
  kind: 'runtime',
  code: 'app_error',
  severity: 'FATAL',
  message: 'The protocol adapter failed with an error that is none of its own; the cause says where.',
} as const
