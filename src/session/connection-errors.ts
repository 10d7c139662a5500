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
  message: 'No data came from the agent for too long: the connection is lost.',
} as const

export const SLEPT = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'This device was asleep, so the connection is resumed.',
} as const

export const BROKEN = {
  kind: 'runtime',
  code: 'app_error',
  severity: 'FATAL',
  message: 'The protocol adapter threw an unexpected error (see cause).',
} as const

export const UNCONFIRMED = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'The agent did not confirm in time, so it is not known whether this arrived.',
} as const
