import { attempt } from '../../../../base/attempt.ts'
import { noop } from '../../../../base/noop.ts'
import type { Environment } from '../../../../base/ports/environment.ts'
import { stringifyWellFormed } from '../../../../base/bounded-json.ts'
import type { ArcpMessage } from '../../read/message.ts'
import type { DialectMemory, ResumableSession } from '../job/dialect-memory.ts'
import type { FollowedJob, GatewayConnection } from './gateway-connection.ts'
import { createRequests } from './requests.ts'

export interface GatewayConnectionOptions {
  readonly memory: DialectMemory
  readonly session: ResumableSession
  readonly features: ReadonlySet<string>
  readonly environment: Environment
  out(message: ArcpMessage): void
  fault(error: Error): void
  /** Sends a frame. @throws AgentError when the connection is gone */
  sendFrame(frame: string): void
}

/** A connection with its end. */
export interface OpenGatewayConnection extends GatewayConnection {
  /** The client has taken what the runtime has said up to this number. */
  taken(seq: number): void
  /** The connection is gone. */
  end(): void
}

/** At most so often the runtime is told what was taken, in milliseconds. */
const ACK_MS = 500

/** How long is waited for what may still come, where the runtime answers no pings. */
const QUIET_MS = 250

export function createGatewayConnection(options: GatewayConnectionOptions): OpenGatewayConnection {
  const { memory, session, features, environment, sendFrame } = options
  const { clock } = environment
  const jobs = new Map<string, FollowedJob>()
  const barriers = new Map<string, () => void>()
  const timers = new Set<() => void>()
  let takenSeq = session.lastSeq
  let cancelAck = noop

  function after(ms: number, callback: () => void): () => void {
    const cancel = clock.after(ms, () => {
      timers.delete(cancel)
      // A connection that has gone in the meantime is told about where it is read.
      attempt(noop, callback)
    })
    timers.add(cancel)
    return cancel
  }

  const requests = createRequests({ after })

  const gateway: OpenGatewayConnection = {
    memory,
    session,
    features,
    requests,
    cancels: new Map(),
    out: options.out,
    fault: options.fault,
    followed(jobId) {
      const known = jobs.get(jobId)
      if (known !== undefined) return known
      const followed: FollowedJob = {
        isHeld: false,
        history: undefined,
        waiters: [],
        subscriptions: new Set(),
        isOwn: false,
      }
      jobs.set(jobId, followed)
      return followed
    },
    allFollowed: () => jobs,
    send(type, payload, members = {}) {
      const id = `msg_${environment.uuid()}`
      sendFrame(stringifyWellFormed({ arcp: '1.1', id, type, session_id: session.id, ...members, payload }))
      return id
    },
    barrier(done) {
      if (!features.has('heartbeat')) return void after(QUIET_MS, done)
      const nonce = `barrier_${memory.nextId()}`
      barriers.set(nonce, done)
      gateway.send('session.ping', { nonce, sent_at: gateway.now() })
    },
    isBarrier(nonce) {
      const done = barriers.get(nonce)
      barriers.delete(nonce)
      done?.()
      return done !== undefined
    },
    later: (ms, callback) => void after(ms, callback),
    uuid: environment.uuid,
    now: () => new Date(clock.date()).toISOString(),
    taken(seq) {
      if (seq <= takenSeq || !features.has('ack')) return
      takenSeq = seq
      if (cancelAck !== noop) return
      cancelAck = after(ACK_MS, () => {
        cancelAck = noop
        gateway.send('session.ack', { last_processed_seq: takenSeq })
      })
    },
    end() {
      requests.end()
      for (const cancel of timers) cancel()
      timers.clear()
    },
  }
  return gateway
}
