import type { ArcpCapabilities } from '../../protocols/arcp/schema/session.ts'

/** The capabilities that a side has or has not. */
const FLAGS = [
  'streaming',
  'durable_jobs',
  'checkpoints',
  'binary_streams',
  'agent_handoff',
  'human_input',
  'artifacts',
  'subscriptions',
  'scheduled_jobs',
  'interrupt',
  'anonymous',
] as const

export interface Negotiated {
  readonly capabilities: ArcpCapabilities
  /** What the client asked for and the runtime has not. */
  readonly missing: readonly string[]
}

/**
 * What both sides can do (RFC section 7): a flag needs both, the shorter heartbeat holds, lists are what both have. Of what only the
 * runtime has a number for, its number is sent.
 */
export function negotiate(requested: ArcpCapabilities, offered: ArcpCapabilities): Negotiated {
  const flags = Object.fromEntries(FLAGS.map((flag) => [flag, requested[flag] === true && offered[flag] === true]))
  const intervals = [requested.heartbeat_interval_seconds, offered.heartbeat_interval_seconds].filter(
    (seconds): seconds is number => seconds !== undefined && seconds > 0,
  )
  const { artifact_retention: retention, heartbeat_recovery: recovery } = offered
  return {
    capabilities: {
      ...flags,
      binary_encoding: shared(requested.binary_encoding ?? ['base64'], offered.binary_encoding),
      extensions: shared(requested.extensions, offered.extensions),
      ...(intervals.length === 0 ? {} : { heartbeat_interval_seconds: Math.min(...intervals) }),
      ...(recovery === undefined ? {} : { heartbeat_recovery: recovery }),
      ...(retention === undefined ? {} : { artifact_retention: retention }),
    },
    missing: FLAGS.filter((flag) => requested[flag] === true && offered[flag] !== true),
  }
}

function shared(requested: readonly string[] = [], offered: readonly string[] = []): string[] {
  return offered.filter((each) => requested.includes(each))
}
