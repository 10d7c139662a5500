import { AgentError } from '../base/agent-error.ts'
import { systemDigestBytes } from '../base/digest.ts'
import { systemEnvironment } from '../base/ports/environment.ts'
import type { ArcpCapabilities } from '../protocols/arcp/schema/session.ts'
import { createUlids, createMessageWriter } from '../protocols/arcp/write-message.ts'
import { memoryEventLog } from '../server/event-log/memory-event-log.ts'
import type { DuplexConnection } from '../wire/duplex-transport.ts'
import { loggedArtifactStore, memoryArtifactStore, createArtifacts } from './job/artifacts.ts'
import {
  createCommandMemory,
  type Reply,
  type ServedConnection,
  serveConnection,
} from './connection/serve-connection.ts'
import { isAllowed } from './connection/commands.ts'
import { createJobs } from './job/jobs.ts'
import { createStreams } from './job/job-streams.ts'
import { createLeases } from './job/leases.ts'
import { createPrompts } from './job/prompts.ts'
import type {
  RuntimeCore,
  ArcpArtifactLimits,
  ArcpPrincipalLimits,
  ArcpRuntimeOptions,
} from './connection/runtime-core.ts'
import type { ArcpEviction } from './connection/served-session.ts'
import { principalOf } from './session/scope.ts'
import { createSessions } from './session/sessions.ts'
import { createSubscriptions } from './connection/subscriptions.ts'

/** A session that the runtime knows. */
export interface ArcpSessionInfo {
  readonly id: string
  /** Absent: an anonymous one. */
  readonly principal?: string | undefined
  /** How many connections follow it; none: it can be resumed for a while. */
  readonly connections: number
}

/** A runtime of ARCP 1.0. */
export interface ArcpRuntime {
  /**
   * Serves one connection: `memoryTransport(runtime.accept)` is a transport to it, `webSocketConnection` makes a connection of a socket.
   * Resolves when the connection has ended; never rejects.
   */
  readonly accept: (connection: DuplexConnection) => Promise<void>
  /** The sessions that it knows. */
  readonly sessions: readonly ArcpSessionInfo[]
  /** Asks the client of a session for another proof, for which it has `deadlineMs`. @param deadlineMs @default 30_000 */
  refresh(sessionId: string, options?: { readonly reason?: string; readonly deadlineMs?: number }): void
  /** Ends a session; a connected client is sent the reason. */
  evict(sessionId: string, eviction?: ArcpEviction): void
  /** Ends a lease. @throws ArcpFault NOT_FOUND, LEASE_EXPIRED, LEASE_REVOKED */
  revokeLease(leaseId: string, reason: string): void
  /** Breaks the connections of a session, as a network does. @param sessionId absent: all connections */
  disconnect(sessionId?: string): void
  /** Ends all jobs, sessions and connections, and all timers. */
  close(): Promise<void>
}

/**
 * A runtime of the Agent Runtime Control Protocol 1.0, in Node and in browsers: tools are functions, and sessions, jobs, streams,
 * questions, permissions, subscriptions and artifacts are its own matter. What sessions say is kept in an `EventLog`, so that a client
 * whose socket broke continues where it was.
 *
 * @throws AgentError `invalid_config` when an option cannot work
 *
 * @example
 * ```ts
 * import { ArcpClient, memoryTransport } from 'capstan/arcp'
 * import { createArcpRuntime } from 'capstan/arcp/runtime'
 *
 * const runtime = createArcpRuntime({
 *   tools: { greet: async ({ name }, { progress }) => (progress({ percent: 50 }), `Hello ${String(name)}`) },
 * })
 * const arcp = new ArcpClient({ transport: memoryTransport(runtime.accept) })
 * console.log(await arcp.invoke('greet', { name: 'Ada' }).result)
 * ```
 */
export function createArcpRuntime(options: ArcpRuntimeOptions): ArcpRuntime {
  assertOptions(options)
  const environment = { ...systemEnvironment, ...options.environment }
  const { clock, uuid, report } = environment
  const date = (): number => clock.date()
  const { maxBuffered = 1_000_000, heartbeatRecovery = 'fail', cancelTimeoutMs = 2_000 } = options
  const {
    defaultSeconds = 3_600,
    maxSeconds = 86_400,
    maxBytes = 64_000_000,
  }: ArcpArtifactLimits = { ...options.artifacts }
  const {
    jobs: maxJobs = 1_000,
    subscriptions: maxSubscriptions = 64,
    artifactBytes = 16_000_000,
  }: ArcpPrincipalLimits = { ...options.limits }
  const writer = createMessageWriter({ date, uuid })
  const ulid = createUlids({ date, uuid })
  const id = (prefix: string): string => prefix + ulid()
  const connections = new Set<ServedConnection>()
  const memory = createCommandMemory<Reply>()
  let count = 0
  let isClosed = false

  const streams = createStreams({ clock, maxBuffered, id: () => id('str_') })
  const prompts = createPrompts({ clock, promptMs: options.promptMs ?? 300_000 })
  const log = options.log ?? memoryEventLog({ clock })
  const artifacts = createArtifacts({
    clock,
    // A log that nobody can adopt lives as long as its process: contents need no other place than its memory.
    store: log.adopt === undefined ? memoryArtifactStore() : loggedArtifactStore(log, clock),
    report,
    digest: systemDigestBytes,
    id: () => id('art_'),
    defaultSeconds,
    maxSeconds,
    maxBytes,
    maxOwnBytes: artifactBytes,
  })
  const leases = createLeases({
    clock,
    maxSeconds: options.maxLeaseSeconds ?? 3_600,
    id: () => id('lease_'),
    onEnded: ({ id: leaseId, job }, reason) =>
      void job.session.emit('lease.revoked', { lease_id: leaseId, reason }, { job_id: job.id }),
  })
  const sessions = createSessions({
    clock,
    writer,
    log,
    retentionMs: options.retentionMs ?? 600_000,
    // Knowing the id of an anonymous session allows resuming it, so it must not be derivable from other ids.
    id: () => `sess_${uuid().replaceAll('-', '')}`,
    isBusy: (session) => jobs.isBusy(session),
    onLogged: (message, session) => subscriptions.hear(message, session),
    onRecovered(session, logged) {
      // First, so that what was logged is shown before what is logged from now on.
      subscriptions.restore(session)
      jobs.restore(session, logged.jobs)
      artifacts.restore(logged.artifacts)
    },
    report,
  })
  const jobs = createJobs({
    streams,
    prompts,
    leases,
    artifacts,
    tools: options.tools,
    clock,
    endings: options.endings ?? 'both',
    heartbeatRecovery,
    maxRunning: maxJobs,
    cancelTimeoutMs,
    id: () => id('job_'),
    onEnded: ({ session }) => sessions.leave(session),
    report,
  })
  const subscriptions = createSubscriptions({
    clock,
    writer,
    id: () => id('sub_'),
    capacity: options.subscriptionCapacity ?? 1_024,
    maxBuffered,
    maxOpen: maxSubscriptions,
    // Without a function of the app nobody sees what is not their own, and nobody needs to be asked for.
    mayAccess: options.mayAccess && ((viewer, owner) => isAllowed(options, viewer, owner)),
    sessions: () => sessions.all.values(),
    recover: ({ scope }) => sessions.recoverOf(scope),
  })
  const core: RuntimeCore = {
    options,
    environment,
    offered: offeredBy(options, { defaultSeconds, maxSeconds, heartbeatRecovery }),
    writer,
    id,
    sessions,
    jobs,
    prompts,
    leases,
    streams,
    artifacts,
    subscriptions,
  }

  const servedOf = (sessionId: string): readonly ServedConnection[] =>
    [...connections].filter(({ served }) => served.session?.id === sessionId)

  return {
    async accept(connection) {
      if (isClosed) return connection.close()
      const index = count++
      const own = serveConnection(core, connection, { index, memory })
      connections.add(own)
      await own.done
      connections.delete(own)
    },
    get sessions() {
      return [...sessions.all.values()].map(({ id: sessionId, scope, peers }) => ({
        id: sessionId,
        principal: principalOf(scope),
        connections: peers.size,
      }))
    },
    refresh(sessionId, { reason = 'The runtime wants another proof.', deadlineMs = 30_000 } = {}) {
      for (const { served } of servedOf(sessionId)) served.refresh(reason, deadlineMs)
    },
    evict(sessionId, eviction = {}) {
      const served = servedOf(sessionId)
      for (const each of served) each.served.evict(eviction)
      const detached = served.length === 0 ? sessions.all.get(sessionId) : undefined
      if (detached === undefined || eviction.allowResume === true) return
      void jobs.cancelAll(detached, 'The session was ended.', 'policy').then(() => sessions.end(detached, false))
    },
    revokeLease: (leaseId, reason) => leases.revoke(leaseId, reason),
    disconnect(sessionId) {
      for (const { cut } of sessionId === undefined ? connections : servedOf(sessionId)) cut()
    },
    async close() {
      isClosed = true
      await jobs.close('The runtime was closed.')
      await Promise.all([...sessions.all.values()].map((session) => session.settled()))
      for (const { cut } of connections) cut()
      await Promise.all([...connections].map(({ done }) => done))
      leases.close()
      await artifacts.close()
      sessions.close()
    },
  }
}

/** What the runtime can do, and what its options say over that. */
function offeredBy(
  { auth = { none: true }, extensions, heartbeatSeconds = 30, capabilities }: ArcpRuntimeOptions,
  limits: { readonly defaultSeconds: number; readonly maxSeconds: number; readonly heartbeatRecovery: string },
): ArcpCapabilities {
  return {
    streaming: true,
    durable_jobs: true,
    binary_streams: true,
    human_input: true,
    artifacts: true,
    subscriptions: true,
    interrupt: true,
    anonymous: auth.none === true,
    binary_encoding: ['base64'],
    heartbeat_interval_seconds: heartbeatSeconds,
    heartbeat_recovery: limits.heartbeatRecovery,
    artifact_retention: { default_seconds: limits.defaultSeconds, max_seconds: limits.maxSeconds },
    extensions: Object.keys(extensions ?? {}),
    ...capabilities,
  }
}

/** Least bytes of a secret for HS256 (RFC 7518 section 3.2). */
const LEAST_SECRET = 32

function assertOptions({
  auth,
  heartbeatSeconds = 30,
  promptMs = 300_000,
  subscriptionCapacity = 1_024,
  limits = {},
}: ArcpRuntimeOptions): void {
  if (auth === null || (auth !== undefined && typeof auth !== 'object')) throw invalid('auth is not an object.')
  const { bearer, challenge = false } = auth ?? {}
  if (bearer !== undefined && typeof bearer !== 'function') throw invalid('auth.bearer is not a function.')
  if (typeof challenge !== 'boolean' && typeof challenge !== 'function')
    throw invalid('auth.challenge is neither true or false nor a function.')
  const secret = auth?.signedJwt?.secret
  const length = typeof secret === 'string' ? new TextEncoder().encode(secret).byteLength : secret?.byteLength
  if (length !== undefined && length < LEAST_SECRET)
    throw invalid(`The secret of signedJwt has ${length} bytes; HS256 needs ${LEAST_SECRET}.`)
  const { jobs = 1, subscriptions = 1, artifactBytes = 1 } = limits
  const numbers = {
    heartbeatSeconds,
    promptMs,
    subscriptionCapacity,
    'limits.jobs': jobs,
    'limits.subscriptions': subscriptions,
    'limits.artifactBytes': artifactBytes,
  }
  for (const [name, value] of Object.entries(numbers))
    if (!(value > 0)) throw invalid(`${name} is ${value}; it has to be a number above 0.`)
}

function invalid(message: string): AgentError {
  return new AgentError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message })
}
