import { isJsonObject } from '../../src/base/json-object.ts'
import type { JsonObject } from '../../src/base/json-object.ts'
import { connectionLost, type DuplexConnection, type DuplexTransport } from '../../src/wire/duplex-transport.ts'
import { memoryTransport } from '../../src/wire/memory-transport.ts'

/** A message as it travels. */
export interface DialectWire {
  readonly id: string
  readonly type: string
  readonly session_id?: string | undefined
  readonly job_id?: string | undefined
  readonly trace_id?: string | undefined
  readonly event_seq?: number | undefined
  readonly payload: JsonObject
}

/** A job of the runtime, driven by a test or by its agent. */
export interface DialectJob {
  readonly id: string
  readonly agent: string
  readonly submit: JsonObject
  /** Sends an event. */
  emit(kind: string, body: unknown): void
  /** Streams text of the result. */
  say(text: string, more?: boolean): void
  end(payload?: JsonObject): void
  fail(code: string, message: string, status?: 'error' | 'cancelled' | 'timed_out'): void
}

export interface DialectRuntimeOptions {
  /** What an agent does with a job. Absent: the test drives it. */
  readonly onSubmit?: ((job: DialectJob) => void) | undefined
  readonly features?: readonly string[] | undefined
  /** What is told about a job beside its id when it is accepted. */
  readonly authority?: JsonObject | undefined
  /** History is told before `job.subscribed`, as the published runtime does it. @default true */
  readonly historyFirst?: boolean | undefined
  /** Events of a job that are told again to who subscribes. @default all */
  readonly historyKept?: number | undefined
  /** Events that were acknowledged are told to nobody again. @default false */
  readonly freesAcked?: boolean | undefined
  /** Acknowledges a cancel, and the job continues. @default false */
  readonly ignoresCancel?: boolean | undefined
  /** Sends every frame twice. @default false */
  readonly doubles?: boolean | undefined
  /** How often it wants to hear from a client, in seconds. Absent: it does not say. */
  readonly heartbeat?: number | undefined
}

interface Session {
  readonly id: string
  readonly principal: string
  token: string
  seq: number
  readonly log: DialectWire[]
  /** Which event of which job a number is. */
  readonly counted: Map<number, { readonly job: Job; readonly index: number }>
  socket: Socket | undefined
}

interface Socket {
  readonly connection: DuplexConnection
  session: Session | undefined
}

interface Job extends DialectJob {
  readonly owner: Session
  readonly trace: string | undefined
  readonly events: { readonly type: string; readonly payload: JsonObject }[]
  readonly subscribers: Set<Session>
  /** Its first events that nobody is told again. */
  freed: number
  status: string
}

const FEATURES = [
  'heartbeat',
  'ack',
  'list_jobs',
  'subscribe',
  'lease_expires_at',
  'cost.budget',
  'progress',
  'result_chunk',
]

export const DIALECT_TOKEN = 'token-of-ada'
const PRINCIPALS: Readonly<Record<string, string>> = { [DIALECT_TOKEN]: 'ada', 'token-of-bob': 'bob' }

export type DialectRuntime = ReturnType<typeof createDialectRuntime>

/** A small ARCP 1.1 runtime in memory. A resume with nothing to say again is refused, as by the published runtime. It needs no clock. */
export function createDialectRuntime(options: DialectRuntimeOptions = {}) {
  const sessions = new Map<string, Session>()
  const jobs = new Map<string, Job>()
  const keys = new Map<string, { readonly digest: string; readonly job: Job }>()
  const received: DialectWire[] = []
  const sentFrames: string[] = []
  const live = new Set<Socket>()
  let ids = 0
  let hellos = 0
  const newId = (kind: string): string => `${kind}_${(ids += 1)}`

  const runtime = {
    /** All frames that came, as messages. */
    received,
    /** All frames that were sent. */
    sentFrames,
    jobs: jobs as ReadonlyMap<string, DialectJob>,
    /** Breaks all connections before the frame with this number, counted from the first one that was ever sent. Absent: does not. */
    cutAt: undefined as number | undefined,
    /** Frames with these numbers of a session are not sent, and not kept. */
    left: new Set<number>(),
    /** Whether events that were lost are kept and said again. */
    keepsLost: true,
    /** Types of messages that are not answered. */
    mute: new Set<string>(),
    transport: undefined as unknown as DuplexTransport,
    of: (type: string): DialectWire[] => received.filter((message) => message.type === type),
    cut(): void {
      for (const socket of [...live]) drop(socket)
    },
    /** The next event of each session does not come; it is kept, and said again. */
    loseNext(): void {
      for (const { session } of live) if (session !== undefined) runtime.left.add(session.seq + 1)
    },
    /** The runtime was started again: it knows nothing of what was. */
    forget(): void {
      sessions.clear()
      jobs.clear()
      keys.clear()
      runtime.cut()
    },
    /** Sessions can be resumed no more. */
    expire(): void {
      sessions.clear()
      runtime.cut()
    },
    /** Sends a frame as it is. */
    raw(frame: unknown): void {
      for (const { connection } of live) connection.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
    },
    /** Sends a message of the session. */
    say(type: string, payload: JsonObject, members: JsonObject = {}): void {
      for (const socket of live)
        if (socket.session !== undefined) write(socket, type, payload, { session_id: socket.session.id, ...members })
    },
    /** Begins its own job, as another session of Ada would. */
    begin(agent: string): DialectJob {
      const owner: Session = {
        id: newId('sess'),
        principal: 'ada',
        token: '',
        seq: 0,
        log: [],
        counted: new Map(),
        socket: undefined,
      }
      return newJob(owner, agent, { agent, input: {} }, undefined)
    },
  }

  function drop(socket: Socket): void {
    live.delete(socket)
    if (socket.session?.socket === socket) socket.session.socket = undefined
    socket.connection.close()
  }

  function write(socket: Socket | undefined, type: string, payload: JsonObject, members: JsonObject = {}): void {
    if (socket === undefined || !live.has(socket)) return
    if (runtime.cutAt !== undefined && sentFrames.length >= runtime.cutAt) {
      runtime.cutAt = undefined
      return runtime.cut()
    }
    const frame = JSON.stringify({ arcp: '1.1', id: newId('msg'), type, ...members, payload })
    sentFrames.push(frame)
    try {
      socket.connection.send(frame)
      if (options.doubles === true) socket.connection.send(frame)
    } catch {
      // The client has gone.
    }
  }

  /** Says something that counts in a session. */
  function count(session: Session, job: Pick<Job, 'id' | 'trace'>, type: string, payload: JsonObject): void {
    session.seq += 1
    const message = {
      id: newId('msg'),
      type,
      session_id: session.id,
      job_id: job.id,
      trace_id: job.trace,
      event_seq: session.seq,
      payload,
    }
    const isLost = runtime.left.delete(session.seq)
    if (!isLost || runtime.keepsLost) session.log.push(message)
    if (!isLost)
      write(session.socket, type, payload, {
        session_id: session.id,
        job_id: job.id,
        trace_id: job.trace,
        event_seq: session.seq,
      })
  }

  function newJob(owner: Session, agent: string, submit: JsonObject, trace: string | undefined): Job {
    let chunks = 0
    const id = newId('job')
    const all = (type: string, payload: JsonObject): void => {
      job.events.push({ type, payload })
      for (const session of new Set([owner, ...job.subscribers])) {
        session.counted.set(session.seq + 1, { job, index: job.events.length })
        count(session, job, type, payload)
      }
    }
    const job: Job = {
      id,
      agent,
      submit,
      owner,
      trace,
      events: [],
      subscribers: new Set(),
      freed: 0,
      status: 'running',
      emit: (kind, body) => all('job.event', { kind, ts: '2026-03-01T08:15:00.000Z', body }),
      say: (data, more = true) =>
        job.emit('result_chunk', { result_id: 'res_1', chunk_seq: chunks++, data, encoding: 'utf8', more }),
      end(payload = { result: null }) {
        job.status = 'success'
        all('job.result', { final_status: 'success', ...payload })
      },
      fail(code, message, status = 'error') {
        job.status = status
        all('job.error', { final_status: status, code, message, retryable: false })
      },
    }
    jobs.set(id, job)
    return job
  }

  function accepted(session: Session, job: Job): void {
    const payload = {
      job_id: job.id,
      agent: `${job.agent}@1`,
      lease: {},
      accepted_at: '2026-03-01T08:15:00Z',
      trace_id: job.trace,
      ...options.authority,
    }
    write(session.socket, 'job.accepted', payload, { session_id: session.id, job_id: job.id, trace_id: job.trace })
  }

  function refuse(socket: Socket, code: string, message: string): void {
    write(
      socket,
      'session.error',
      { code, message, retryable: false },
      socket.session === undefined ? {} : { session_id: socket.session.id },
    )
  }

  function hello(socket: Socket, { auth, resume, capabilities }: JsonObject): void {
    hellos += 1
    const principal = isJsonObject(auth) ? PRINCIPALS[String(auth.token)] : undefined
    if (principal === undefined) return refuse(socket, 'UNAUTHENTICATED', 'Unknown token.')
    const asked = isJsonObject(capabilities) && Array.isArray(capabilities.features) ? capabilities.features : []
    let session: Session | undefined
    if (isJsonObject(resume)) {
      session = sessions.get(String(resume.session_id))
      const last = Number(resume.last_event_seq)
      // A session that is caught up is refused, too.
      if (session === undefined || session.token !== resume.resume_token || (last > 0 && last >= session.seq))
        return refuse(socket, 'RESUME_WINDOW_EXPIRED', 'Unknown or expired.')
    }
    const resumed = session
    session ??= { id: newId('sess'), principal, token: '', seq: 0, log: [], counted: new Map(), socket: undefined }
    sessions.set(session.id, session)
    session.token = `resume-token-${hellos}`
    session.socket = socket
    socket.session = session
    const features = (options.features ?? FEATURES).filter((feature) => asked.includes(feature))
    const payload = {
      runtime: { name: 'test', version: '1' },
      resume_token: session.token,
      resume_window_sec: 600,
      heartbeat_interval_sec: options.heartbeat,
      capabilities: { features, agents: ['search'] },
    }
    write(socket, 'session.welcome', payload, { session_id: session.id })
    if (resumed === undefined || !isJsonObject(resume)) return
    for (const { id: _, type, payload: again, ...members } of resumed.log)
      if ((members.event_seq ?? 0) > Number(resume.last_event_seq)) write(socket, type, again, members)
  }

  function submit(socket: Socket, session: Session, { payload, trace_id: trace }: DialectWire): void {
    const { agent, idempotency_key: key } = payload
    if (agent === 'missing') return refuse(socket, 'AGENT_NOT_AVAILABLE', 'There is no such agent.')
    const digest = JSON.stringify(payload)
    const known = typeof key === 'string' ? keys.get(key) : undefined
    if (known !== undefined && known.digest === digest) return accepted(session, known.job)
    if (known !== undefined) {
      const details = { existing_job_id: known.job.id }
      return count(session, known.job, 'job.error', {
        final_status: 'error',
        code: 'DUPLICATE_KEY',
        message: 'Used before.',
        retryable: false,
        details,
      })
    }
    const job = newJob(session, String(agent), payload, trace)
    if (typeof key === 'string') keys.set(key, { digest, job })
    accepted(session, job)
    job.emit('status', { phase: 'running' })
    options.onSubmit?.(job)
  }

  function subscribe(session: Session, jobId: string, isHistory: boolean): void {
    const job = jobs.get(jobId)
    if (job === undefined)
      return count(session, { id: jobId, trace: undefined }, 'job.error', {
        final_status: 'error',
        code: 'JOB_NOT_FOUND',
        message: 'Unknown job.',
        retryable: false,
      })
    if (job.owner.principal !== session.principal)
      return refuse(session.socket ?? { connection: NO_CONNECTION, session }, 'PERMISSION_DENIED', 'Not yours.')
    job.subscribers.add(session)
    const history = (): void => {
      if (!isHistory) return
      const first = Math.max(job.freed, job.events.length - (options.historyKept ?? Infinity))
      for (const [at, { type, payload }] of job.events.entries()) {
        if (at < first) continue
        session.counted.set(session.seq + 1, { job, index: at + 1 })
        // What is said again is not lost.
        runtime.left.delete(session.seq + 1)
        count(session, job, type, payload)
      }
    }
    if (options.historyFirst !== false) history()
    const payload = {
      job_id: jobId,
      current_status: job.status,
      agent: job.agent,
      subscribed_from: session.seq,
      replayed: isHistory && job.events.length > 0,
      ...options.authority,
    }
    write(session.socket, 'job.subscribed', payload, { session_id: session.id, job_id: jobId })
    if (options.historyFirst === false) history()
  }

  function cancel(session: Session, { job_id: jobId = '' }: DialectWire): void {
    const job = jobs.get(jobId)
    if (job === undefined || job.owner !== session) {
      const code = job === undefined ? 'JOB_NOT_FOUND' : 'PERMISSION_DENIED'
      return count(session, { id: jobId, trace: undefined }, 'job.error', {
        final_status: 'error',
        code,
        message: 'No.',
        retryable: false,
      })
    }
    write(session.socket, 'job.cancelled', {}, { session_id: session.id, job_id: jobId })
    if (options.ignoresCancel !== true) job.fail('CANCELLED', 'It was cancelled.', 'cancelled')
  }

  function take(socket: Socket, message: DialectWire): void {
    received.push(message)
    const { session } = socket
    const { type, payload } = message
    if (runtime.mute.has(type)) return
    if (type === 'session.hello') return hello(socket, payload)
    if (session === undefined) return
    const members = { session_id: session.id }
    switch (type) {
      case 'session.ping':
        return write(
          socket,
          'session.pong',
          { ping_nonce: payload.nonce, received_at: '2026-03-01T08:15:00Z' },
          members,
        )
      case 'job.submit':
        return submit(socket, session, message)
      case 'job.cancel':
        return cancel(session, message)
      case 'job.subscribe':
        return subscribe(session, String(payload.job_id), payload.history === true)
      case 'job.unsubscribe':
        return void jobs.get(String(payload.job_id))?.subscribers.delete(session)
      case 'session.list_jobs': {
        const list = [...jobs.values()].map(({ id, agent, status }) => ({
          job_id: id,
          agent,
          status,
          lease: {},
          created_at: '2026-03-01T08:15:00Z',
          last_event_seq: 0,
        }))
        return write(socket, 'session.jobs', { request_id: message.id, jobs: list, next_cursor: null }, members)
      }
      case 'session.bye':
        return drop(socket)
      case 'session.ack':
        for (const [seq, { job, index }] of session.counted)
          if (options.freesAcked === true && seq <= Number(payload.last_processed_seq))
            job.freed = Math.max(job.freed, index)
        return
      case 'session.pong':
        return
      default:
        return refuse(socket, 'INVALID_REQUEST', `Unknown type ${type}.`)
    }
  }

  runtime.transport = memoryTransport(async (connection) => {
    const socket: Socket = { connection, session: undefined }
    live.add(socket)
    for await (const batch of connection.frames)
      for (const frame of batch) {
        if (!live.has(socket)) throw connectionLost('cut')
        // What the client writes is a message.
        take(socket, JSON.parse(frame) as DialectWire)
      }
    drop(socket)
  })
  return runtime
}

const NO_CONNECTION: DuplexConnection = {
  frames: { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }) },
  send() {},
  close() {},
}
