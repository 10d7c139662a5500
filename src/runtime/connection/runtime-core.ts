import type { JsonObject } from '../../base/json-object.ts'
import type { Environment } from '../../base/ports/environment.ts'
import type { EventLog } from '../../server/event-log/event-log.ts'
import type { ArcpCapabilities } from '../../protocols/arcp/schema/session.ts'
import type { ArcpRuntimeAuth } from '../session/authenticate.ts'
import type { JobEndings } from '../job/runtime-job.ts'
import type { ArcpTool } from '../job/tool.ts'
import type { MessageWriter } from '../../protocols/arcp/write-message.ts'
import type { Artifacts } from '../job/artifacts.ts'
import type { Jobs } from '../job/jobs.ts'
import type { Streams } from '../job/job-streams.ts'
import type { Leases } from '../job/leases.ts'
import type { Prompts } from '../job/prompts.ts'
import type { Sessions } from '../session/sessions.ts'
import type { Subscriptions } from './subscriptions.ts'

export interface ArcpRuntimeOptions {
  /** What clients may invoke, by name. */
  readonly tools: Readonly<Record<string, ArcpTool>>
  /** How clients prove who they are. @default `{ none: true }` */
  readonly auth?: ArcpRuntimeAuth | undefined
  /** Who the runtime says it is. @default `{ kind: 'capstan', version: '1' }` */
  readonly runtime?: ArcpRuntimeIdentity | undefined
  /** What the runtime has beside, or has not: it is put over what it can do. @default all that it can do */
  readonly capabilities?: ArcpCapabilities | undefined
  /** Whether a session that asks for what the runtime has not is refused, as the runtime in F# does. @default false */
  readonly rejectUnsupported?: boolean | undefined
  /**
   * Where sessions and artifacts are kept. A log that outlives the process, such as `sqliteEventLog`, keeps them over a restart.
   *
   * @default `memoryEventLog()`
   */
  readonly log?: EventLog | undefined
  /**
   * Whether a principal may see, answer and stop what belongs to another one. Anonymous sessions have the names `anonymous:<session id>`;
   * it is not called for a principal of such a name.
   *
   * @default only what is its own
   */
  readonly mayAccess?: ((principal: string, owner: string) => boolean) | undefined
  /** Messages of extensions that clients may send, by name. Absent: none. */
  readonly extensions?: Readonly<Record<string, ArcpExtensionHandler>> | undefined
  /** Which messages report the end of a job: those of its tool, those of the job, or both. @default 'both' */
  readonly endings?: JobEndings | undefined
  /** Interval of heartbeats, in seconds; a client may ask for a shorter one. @default 30 */
  readonly heartbeatSeconds?: number | undefined
  /** What happens to a job whose tool says nothing for two intervals: it fails, or counts as blocked. @default 'fail' */
  readonly heartbeatRecovery?: 'fail' | 'block' | undefined
  /**
   * How long a cancel waits for the tool to return, in milliseconds, before its job fails with `ABORTED` and the client reports that the
   * tool may still be working. A client may ask for less. @default 2_000
   */
  readonly cancelTimeoutMs?: number | undefined
  /** How long a question may be answered that does not say, in milliseconds. @default 300_000 */
  readonly promptMs?: number | undefined
  /** Longest lease, in seconds. @default 3_600 */
  readonly maxLeaseSeconds?: number | undefined
  /** How long artifacts are kept, in seconds, and how many bytes of them. What is left out has its default. @default the defaults of `ArcpArtifactLimits` */
  readonly artifacts?: ArcpArtifactLimits | undefined
  /**
   * What one principal may have at a time, so that no one slows down or displaces the others. More is refused with RESOURCE_EXHAUSTED. An
   * anonymous session counts alone. What is left out has its default. @default {}
   */
  readonly limits?: ArcpPrincipalLimits | undefined
  /** Messages that may wait for a subscriber before its subscription is closed. @default 1_024 */
  readonly subscriptionCapacity?: number | undefined
  /** Characters that a connection may have on its way before streams and subscriptions wait for it. @default 1_000_000 */
  readonly maxBuffered?: number | undefined
  /** Longest time from the connection to an accepted session, in milliseconds. @default 15_000 */
  readonly handshakeMs?: number | undefined
  /** How long before a proof has ended another one is asked for, in milliseconds. @default 60_000 */
  readonly refreshMs?: number | undefined
  /** How long a session that nobody follows can be resumed once its jobs have ended, in milliseconds. @default 600_000 */
  readonly retentionMs?: number | undefined
  /** Clock, ids and reports: replaced in tests. @default the platform's */
  readonly environment?: Partial<Pick<Environment, 'clock' | 'uuid' | 'report'>> | undefined
}

/** Who a runtime says it is. */
export interface ArcpRuntimeIdentity {
  readonly kind: string
  readonly version: string
  /** untrusted, constrained, trusted or privileged. Absent: it does not say. */
  readonly trustLevel?: string | undefined
}

/** Limits of artifacts. */
export interface ArcpArtifactLimits {
  /** @default 3_600 */
  readonly defaultSeconds?: number | undefined
  /** @default 86_400 */
  readonly maxSeconds?: number | undefined
  /** Most bytes of the artifacts that one process keeps. @default 64_000_000 */
  readonly maxBytes?: number | undefined
}

/** Limits of each principal, and of each anonymous session. `Infinity` is not a limit. */
export interface ArcpPrincipalLimits {
  /** Most jobs that run. @default 1_000 */
  readonly jobs?: number | undefined
  /** Most open subscriptions, of all its connections. Each one costs as much as another subscriber. @default 64 */
  readonly subscriptions?: number | undefined
  /** Most bytes of artifacts, within `artifacts.maxBytes`, which all principals share. @default 16_000_000 */
  readonly artifactBytes?: number | undefined
}

/** Takes a message of an extension. An `ArcpFault` that it throws refuses it. */
export type ArcpExtensionHandler = (
  payload: JsonObject,
  from: { readonly sessionId: string; readonly principal?: string | undefined },
) => void | Promise<void>

/** What the connections of a runtime share. */
export interface RuntimeCore {
  readonly options: ArcpRuntimeOptions
  readonly environment: Pick<Environment, 'clock' | 'uuid' | 'report'>
  /** What the runtime can do. */
  readonly offered: ArcpCapabilities
  readonly writer: MessageWriter
  /** A new id behind a prefix such as `job_`. */
  id(prefix: string): string
  readonly sessions: Sessions
  readonly jobs: Jobs
  readonly prompts: Prompts
  readonly leases: Leases
  readonly streams: Streams
  readonly artifacts: Artifacts
  readonly subscriptions: Subscriptions
}
