import { isJsonObject } from '../../src/base/json-object.ts'
import type { JsonObject } from '../../src/base/json-object.ts'
import { type DuplexConnection, type DuplexTransport, connectionLost } from '../../src/wire/duplex-transport.ts'
import { memoryTransport } from '../../src/wire/memory-transport.ts'

/** A message as it travels. */
export interface Wire {
  readonly id: string
  readonly type: string
  readonly session_id?: string | undefined
  readonly job_id?: string | undefined
  readonly stream_id?: string | undefined
  readonly correlation_id?: string | undefined
  readonly payload: JsonObject
}

type Members = Partial<Omit<Wire, 'type' | 'payload'>> & JsonObject

/** A job of the runtime, driven by a test or by its tool. */
export interface RuntimeJob {
  readonly id: string
  readonly invokeId: string
  readonly tool: string
  readonly given: JsonObject
  readonly isOver: boolean
  /** Sends a message about the job. Gives its id. */
  emit(type: string, payload: JsonObject, members?: Members): string
  /** Streams text. */
  say(text: string): void
  end(value?: unknown): void
  fail(code: string, message: string): void
}

export interface RuntimeOptions {
  /** A cancelled job fails with ABORTED, as its tool is not seen to return. @default false */
  readonly abortsCancelled?: boolean | undefined
  /** What a tool does when it is invoked. Absent: the test drives it. */
  readonly onInvoke?: ((job: RuntimeJob) => void) | undefined
  /** Token that is accepted. Absent: any. */
  readonly token?: string | undefined
  readonly challenge?: boolean | undefined
  /** Begins the ids of its sessions and jobs. Absent: nothing does. */
  readonly name?: string | undefined
  readonly capabilities?: JsonObject | undefined
  /** Whether a client may give a lease back. @default true */
  readonly takesBack?: boolean | undefined
  /** Whether a resume is acknowledged. @default true */
  readonly acks?: boolean | undefined
}

/** A small ARCP 1.0 runtime in memory, with a durable log of each session and live resume. It needs no clock. */
export interface MemoryRuntime {
  readonly transport: DuplexTransport
  /** All frames that came, as messages. */
  readonly received: readonly Wire[]
  readonly jobs: ReadonlyMap<string, RuntimeJob>
  /** Sockets that were opened, and those that are open. */
  readonly sockets: number
  readonly open: number
  /** The most sockets that were open at one time. */
  readonly mostOpen: number
  /** Connection attempts that are refused from now on. */
  refuse: number
  /** The open sockets give nothing any more and do not end. */
  mute(): void
  /** Breaks all sockets. */
  cut(): void
  /** Sends every frame twice. @default false */
  doubles: boolean
  /** Frames of different jobs overtake each other; those of one job, and those of none, stay in order. @default false */
  reorders: boolean
  /** Sends what is held back so that others overtake it. */
  flush(): void
  /** Sends a message that belongs to no job. */
  emit(type: string, payload: JsonObject, members?: Members): string
  /** Sends a frame as it is. */
  raw(frame: string): void
  /** The token that is accepted from now on. */
  setToken(token: string): void
  of(type: string): readonly Wire[]
}

/** The job that a message is about; undefined when it is about none. */
function jobOf({ job_id: jobId, stream_id: streamId }: Wire): string | undefined {
  return jobId ?? streamId?.replace(/^str_/, '')
}

interface Socket {
  readonly connection: DuplexConnection
  sessionId: string | undefined
  isMute: boolean
}

const at = '2026-03-01T08:15:00.000Z'

export function createMemoryRuntime(options: RuntimeOptions = {}): MemoryRuntime {
  const logs = new Map<string, (Wire & { readonly isOwn?: boolean })[]>()
  const attached = new Map<string, Socket>()
  const jobs = new Map<string, RuntimeJob>()
  const byInvoke = new Map<string, RuntimeJob>()
  const received: Wire[] = []
  const live = new Set<Socket>()
  const artifacts = new Map<string, JsonObject>()
  let token = options.token
  let ids = 0
  let sessions = 0
  let sockets = 0
  let opened = 0
  let mostOpen = 0
  let latest: string | undefined

  const nextId = (): string => `msg_${String((ids += 1)).padStart(26, '0')}`

  /** Held back, so that some messages of other jobs overtake it. */
  let held: { readonly socket: Socket; readonly message: Wire; left: number } | undefined

  function put(socket: Socket, message: Wire): void {
    const job = jobOf(message)
    if (held?.socket === socket && job !== undefined && job !== jobOf(held.message)) {
      held.left -= 1
      write(socket, message)
      if (held.left === 0) flush()
      return
    }
    flush()
    if (runtime.reorders && jobOf(message) !== undefined) held = { socket, message, left: 3 }
    else write(socket, message)
  }

  function flush(): void {
    const before = held
    held = undefined
    if (before !== undefined) write(before.socket, before.message)
  }

  function write(socket: Socket, message: Wire): void {
    if (socket.isMute) return
    const frame = JSON.stringify({ arcp: '1.0', timestamp: at, ...message })
    for (let copies = runtime.doubles ? 2 : 1; copies > 0; copies--) {
      try {
        socket.connection.send(frame)
      } catch {
        return
      }
    }
  }

  /** To the log of the session, and to its socket if it has one. */
  function emit(sessionId: string, type: string, payload: JsonObject, members: Members = {}): string {
    const message: Wire = { ...members, id: nextId(), type, session_id: sessionId, payload }
    logs.get(sessionId)?.push(message)
    const socket = attached.get(sessionId)
    if (socket !== undefined) put(socket, message)
    return message.id
  }

  function invoke(sessionId: string, { id: invokeId, payload }: Wire): void {
    if (byInvoke.has(invokeId)) return
    const jobId = `${options.name ?? ''}job_${jobs.size + 1}`
    let streamId: string | undefined
    let sequence = 0
    let isOver = false
    const job: RuntimeJob = {
      id: jobId,
      invokeId,
      tool: String(payload.tool),
      given: isJsonObject(payload.arguments) ? payload.arguments : {},
      get isOver() {
        return isOver
      },
      emit: (type, body, members) => emit(sessionId, type, body, { job_id: jobId, ...members }),
      say(text) {
        if (streamId === undefined) {
          streamId = `str_${jobId}`
          emit(sessionId, 'stream.open', { kind: 'text', related_job_id: jobId }, { stream_id: streamId })
        }
        emit(sessionId, 'stream.chunk', { sequence: sequence++, data: text }, { stream_id: streamId })
      },
      end(value) {
        isOver = true
        emit(sessionId, 'tool.result', value === undefined ? {} : { value }, {
          job_id: jobId,
          correlation_id: invokeId,
        })
      },
      fail(code, message) {
        isOver = true
        emit(sessionId, 'tool.error', { code, message }, { job_id: jobId, correlation_id: invokeId })
      },
    }
    jobs.set(jobId, job)
    byInvoke.set(invokeId, job)
    job.emit('job.accepted', { job_id: jobId, accepted_at: at }, { correlation_id: invokeId })
    job.emit('job.started', { job_id: jobId, started_at: at })
    options.onInvoke?.(job)
  }

  function cancel(sessionId: string, { id, payload }: Wire): void {
    const job = jobs.get(String(payload.target_id))
    const members = { correlation_id: id }
    const target = { target: 'job', target_id: payload.target_id }
    if (job === undefined || job.isOver) {
      const reason = job === undefined ? 'not_found' : 'already_terminal'
      emit(sessionId, 'cancel.refused', { ...target, reason }, members)
      return
    }
    emit(sessionId, 'cancel.accepted', target, members)
    if (options.abortsCancelled === true)
      job.emit('job.failed', { code: 'ABORTED', message: 'It may still be working.' })
    else job.emit('job.cancelled', { reason: 'user_aborted', source: 'client' })
  }

  function resume(socket: Socket, message: Wire): void {
    const old = message.session_id ?? ''
    const log = logs.get(old)
    if (log === undefined) {
      put(socket, {
        id: nextId(),
        type: 'nack',
        session_id: socket.sessionId,
        payload: { code: 'DATA_LOSS', message: 'The log is gone.', ack_for: message.id },
      })
      return
    }
    const after = typeof message.payload.after_message_id === 'string' ? message.payload.after_message_id : ''
    attached.set(old, socket)
    // Own messages of the client are in the log too, and come back.
    const from = log.findLastIndex(({ id, isOwn }) => isOwn !== true && id <= after) + 1
    for (const { isOwn: _, ...one } of log.slice(from)) put(socket, one)
    if (options.acks !== false)
      put(socket, {
        id: nextId(),
        type: 'ack',
        session_id: socket.sessionId,
        correlation_id: message.id,
        payload: { ack_for: message.id, received_at: at },
      })
  }

  function accept(socket: Socket): void {
    sessions += 1
    const sessionId = `${options.name ?? ''}sess_${sessions}`
    latest = sessionId
    socket.sessionId = sessionId
    attached.set(sessionId, socket)
    const payload = {
      session_id: sessionId,
      runtime: { kind: 'memory', version: '1' },
      capabilities: { streaming: true, interrupt: true, ...options.capabilities },
    }
    const accepted: Wire = { id: nextId(), type: 'session.accepted', session_id: sessionId, payload }
    logs.set(sessionId, [accepted])
    put(socket, accepted)
  }

  function handle(socket: Socket, message: Wire): void {
    received.push(message)
    const { sessionId } = socket
    const { payload } = message
    if (message.type === 'session.open') {
      const auth = isJsonObject(payload.auth) ? payload.auth : {}
      if (token !== undefined && auth.token !== token && options.challenge !== true) {
        const error = { code: 'UNAUTHENTICATED', message: 'The token is not valid.' }
        return put(socket, { id: nextId(), type: 'session.rejected', correlation_id: message.id, payload: error })
      }
      if (options.challenge === true)
        return put(socket, { id: nextId(), type: 'session.challenge', payload: { challenge_id: 'c1', type: 'x' } })
      return accept(socket)
    }
    if (message.type === 'session.authenticate' && sessionId === undefined) {
      if (payload.response === token) return accept(socket)
      const error = { code: 'UNAUTHENTICATED', message: 'The answer is not valid.' }
      return put(socket, { id: nextId(), type: 'session.rejected', payload: error })
    }
    if (sessionId === undefined) return
    logs.get(sessionId)?.push({ ...message, isOwn: true })
    const reply = { correlation_id: message.id }
    const nack = (code: string, more: JsonObject = {}): void =>
      void emit(sessionId, 'nack', { code, message: `${code}.`, ack_for: message.id, ...more })
    switch (message.type) {
      case 'ping':
        put(socket, { id: nextId(), type: 'pong', ...reply, session_id: sessionId, payload: { ack_for: message.id } })
        return
      case 'tool.invoke':
        return payload.tool === 'missing' ? nack('UNIMPLEMENTED') : invoke(sessionId, message)
      case 'cancel':
        return cancel(sessionId, message)
      case 'resume':
        return resume(socket, message)
      case 'human.input.response':
        if (payload.value === 'wrong')
          nack('INVALID_ARGUMENT', { details: { errors: [{ path: 'branch', message: 'is not a branch' }] } })
        return
      case 'permission.grant':
        emit(
          sessionId,
          'lease.granted',
          {
            lease_id: 'lease_1',
            permission: payload.permission,
            resource: payload.resource,
            operation: payload.operation,
            expires_at: '2026-03-01T08:20:00.000Z',
          },
          { correlation_id: message.correlation_id },
        )
        return
      case 'lease.refresh':
        emit(sessionId, 'lease.extended', { lease_id: payload.lease_id, expires_at: '2026-03-01T09:20:00.000Z' })
        return
      case 'lease.revoked':
        if (options.takesBack === false) return nack('UNIMPLEMENTED')
        emit(sessionId, 'lease.revoked', { lease_id: payload.lease_id, reason: 'revoked' })
        return
      case 'artifact.put': {
        const artifactId = `art_${artifacts.size + 1}`
        artifacts.set(artifactId, payload)
        const { media_type, size } = payload
        emit(
          sessionId,
          'artifact.ref',
          { artifact_id: artifactId, uri: `arcp://${artifactId}`, media_type, size },
          reply,
        )
        return
      }
      case 'artifact.fetch': {
        const found = artifacts.get(String(payload.artifact_id))
        if (found === undefined) return nack('NOT_FOUND')
        emit(sessionId, 'artifact.put', { media_type: found.media_type, data: found.data }, reply)
        return
      }
      case 'artifact.release':
        artifacts.delete(String(payload.artifact_id))
        return
      case 'subscribe': {
        const subscriptionId = `sub_${message.id}`
        const members = { subscription_id: subscriptionId }
        emit(sessionId, 'subscribe.accepted', { subscription_id: subscriptionId }, { ...members, ...reply })
        const since = isJsonObject(payload.since) ? payload.since.after_message_id : undefined
        if (typeof since !== 'string') return
        const past = [...logs.values()].flat().filter(({ id, type }) => id > since && type.startsWith('job.'))
        for (const one of past) {
          const event = { arcp: '1.0', timestamp: at, ...one }
          emit(sessionId, 'subscribe.event', { event }, members)
        }
        const end = { arcp: '1.0', id: nextId(), type: 'event.emit', timestamp: at }
        const event = { ...end, payload: { name: 'subscription.backfill_complete' } }
        emit(sessionId, 'subscribe.event', { event }, members)
        return
      }
      case 'unsubscribe':
        emit(sessionId, 'subscribe.closed', { subscription_id: payload.subscription_id, reason: 'unsubscribed' })
        return
      case 'arcpx.unknown.thing.v1':
        return nack('UNIMPLEMENTED')
      case 'session.close':
        return socket.connection.close()
      default:
    }
  }

  const memory = memoryTransport(async (connection) => {
    const socket: Socket = { connection, sessionId: undefined, isMute: false }
    live.add(socket)
    try {
      for await (const batch of connection.frames)
        // The client writes JSON.
        for (const frame of batch) if (!socket.isMute) handle(socket, JSON.parse(frame) as Wire)
    } finally {
      live.delete(socket)
      for (const [sessionId, own] of attached) if (own === socket) attached.delete(sessionId)
    }
  })

  /** Counted at the end of the client, which closes one socket before it opens the next. */
  const transport: DuplexTransport = {
    async connect({ signal }) {
      if (runtime.refuse > 0) {
        runtime.refuse -= 1
        throw connectionLost('Refused.')
      }
      const page = await memory.connect({ signal })
      sockets += 1
      opened += 1
      mostOpen = Math.max(mostOpen, opened)
      let isOpen = true
      const leave = (): void => {
        if (isOpen) opened -= 1
        isOpen = false
      }
      signal.addEventListener('abort', leave)
      return {
        ...page,
        close() {
          leave()
          page.close()
        },
      }
    },
  }

  const runtime: MemoryRuntime = {
    transport,
    received,
    jobs,
    refuse: 0,
    doubles: false,
    reorders: false,
    flush,
    get sockets() {
      return sockets
    },
    get open() {
      return opened
    },
    get mostOpen() {
      return mostOpen
    },
    mute() {
      for (const socket of live) socket.isMute = true
    },
    cut() {
      for (const socket of [...live]) {
        live.delete(socket)
        for (const [sessionId, own] of attached) if (own === socket) attached.delete(sessionId)
        socket.connection.close()
      }
    },
    emit: (type, payload, members) => emit(latest ?? '', type, payload, members),
    raw(frame) {
      for (const { connection } of live) connection.send(frame)
    },
    setToken(next) {
      token = next
    },
    of: (type) => received.filter((message) => message.type === type),
  }
  return runtime
}
