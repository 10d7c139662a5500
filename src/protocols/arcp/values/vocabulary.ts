const ULID = /(?:^|_)[0-9A-HJKMNP-TV-Z]{26}$/

/**
 * Whether a message comes after another one by their ids. Only ULIDs have an order: with other ids, and where there is no other, every
 * message is taken to be later.
 */
export function isLater(id: string, than: string | undefined): boolean {
  return than === undefined || !ULID.test(id) || !ULID.test(than) || id > than
}

/**
 * Types that a client sends as well as the runtime. Its own messages come back in replays, with ids that its clock made: they are no
 * positions in the runtime's messages.
 */
export const SENT_TOO: ReadonlySet<string> = new Set([
  'echo',
  'extension',
  'ping',
  'pong',
  'human.input.response',
  'human.choice.response',
  'human.input.cancelled',
  'artifact.put',
])

/** The sender in a client's replies. */
export const OWN_NAME = 'user'

/** Names of extensions (RFC section 21.1): `arcpx.<vendor>.<name>.v<n>`, or a reverse domain with a version. Bare `x-` is none. */
const EXTENSION = /^(?!x-)(arcpx\.[\w-]+|[a-z][\w-]*(\.[\w-]+)+)\.[\w.-]+$/i

/** Prefixes of the core types: an unknown type with one of them is not an extension. */
const CORE = new Set(
  'session ping pong ack nack cancel interrupt resume backpressure checkpoint tool job workflow agent stream human permission lease subscribe unsubscribe artifact event log metric trace'.split(
    ' ',
  ),
)

/** Whether a type or a key is that of an extension. */
export function isExtensionName(name: string): boolean {
  return EXTENSION.test(name) && !CORE.has(name.split('.', 1)[0] ?? '')
}

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

/** Units of the metrics whose names are reserved (RFC section 17.3.1). */
export const RESERVED_UNITS: Readonly<Record<string, string>> = {
  'tokens.used': 'tokens',
  'cost.usd': 'usd',
  'gpu.seconds': 'seconds',
  'tool.invocations': 'count',
  'latency.ms': 'ms',
  'bytes.in': 'bytes',
  'bytes.out': 'bytes',
  'errors.total': 'count',
}

/** Levels of a log, the mildest first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'] as const
