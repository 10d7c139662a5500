import type { JsonObject } from '../../base/json-object.ts'
import { noop } from '../../base/noop.ts'
import type { ArcpEnvelope } from '../../protocols/arcp/schema/envelope.ts'
import type { ArcpPayload, ArcpType } from '../../protocols/arcp/schema/payloads.ts'
import type { ArcpCapabilities } from '../../protocols/arcp/schema/session.ts'
import type { ArcpOutgoing, MessageWriter } from '../../protocols/arcp/write-message.ts'
import { frameOf } from '../../protocols/arcp/write-message.ts'
import { ownerEntry, type SessionLog } from './session-log.ts'
import type { Scope } from './scope.ts'
import { joinScopes } from './scope.ts'

/** A connection as a session sees it. */
export interface Peer {
  /** Sends a frame. Never throws: a connection that is gone takes nothing. */
  send(frame: string): void
  /** Characters on their way that the other side has not taken in. */
  readonly buffered: number
  close(): void
}

/** Members of the envelope that a message is given. */
export type Members = Partial<Omit<ArcpEnvelope, 'arcp' | 'type' | 'timestamp' | 'payload' | 'session_id'>>

export interface RuntimeSessionOptions {
  readonly id: string
  readonly scope: Scope
  readonly capabilities: ArcpCapabilities
  readonly writer: MessageWriter
  readonly log: SessionLog
  /** Id of the last message that was logged before. Absent: there is none. */
  readonly lastId?: string | undefined
  /** Called with each message that was logged, in order, before it is sent. */
  onLogged(message: ArcpOutgoing, session: RuntimeSession): void
  /** The store keeps nothing any more: the session continues, and cannot be resumed. */
  onLogLost(cause: unknown): void
}

/**
 * One session: its messages have one order. Messages that are about its jobs are logged before they are sent, to all connections
 * that follow it; answers go to one connection, in the same order, and are not kept.
 */
export interface RuntimeSession {
  readonly id: string
  readonly scope: Scope
  /** It continues with a session of this scope: an anonymous one belongs to whom that belongs as well. */
  adopt(scope: Scope): void
  readonly capabilities: ArcpCapabilities
  /** The connections that follow it. */
  readonly peers: ReadonlySet<Peer>
  /** Whether its log is there, so that it can be resumed. */
  readonly isResumable: boolean
  /** Logs a message and sends it to all who follow. Gives its id. @param except who knows it already */
  emit(type: string, payload: object, members?: Members, except?: Peer): string
  /** Logs an entry that is not a message, and sends it to nobody. */
  note(entry: JsonObject): void
  /** Sends a message to one connection. */
  reply<Type extends ArcpType>(peer: Peer, type: Type, payload: ArcpPayload<Type>, members?: Members): void
  /** A connection follows from the message after this id. Resolves when earlier messages have been sent. */
  follow(peer: Peer, after: string): Promise<void>
  /** A new connection follows from the start. */
  join(peer: Peer): void
  leave(peer: Peer): void
  /** Messages that were logged, after the one with this id, and behind all messages before this call. */
  logged(after: string): Promise<readonly string[]>
  /** Resolves when all earlier messages have been sent. */
  settled(): Promise<void>
  /** Ends the log, once all is in it. @param isKept whether it can be read for as long as the store keeps what has ended */
  end(isKept: boolean): Promise<void>
}

type Step =
  | { readonly kind: 'log'; readonly message: ArcpOutgoing; readonly except: Peer | undefined }
  | { readonly kind: 'note'; readonly entry: JsonObject }
  | { readonly kind: 'send'; readonly message: ArcpOutgoing; readonly peer: Peer }
  | { readonly kind: 'run'; run(): Promise<void> }

export function createRuntimeSession(options: RuntimeSessionOptions): RuntimeSession {
  const { id, writer, log, onLogged, onLogLost } = options
  const peers = new Set<Peer>()
  const steps: Step[] = []
  let isRunning = false
  let isResumable = true
  let { scope, lastId } = options

  function add(step: Step): void {
    steps.push(step)
    if (!isRunning) void run()
  }

  /** One step after the other, so that ids, log and connections have the same order. */
  async function run(): Promise<void> {
    isRunning = true
    for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
      if (step.kind === 'send') step.peer.send(frameOf(step.message))
      else if (step.kind === 'run') await step.run()
      else await logAll(step)
    }
    isRunning = false
  }

  async function logAll(first: Extract<Step, { kind: 'log' | 'note' }>): Promise<void> {
    const batch = [first]
    for (let next = steps[0]; next?.kind === 'log' || next?.kind === 'note'; next = steps[0]) {
      batch.push(next)
      steps.shift()
    }
    const frames = batch.map((step) => (step.kind === 'log' ? frameOf(step.message) : JSON.stringify(step.entry)))
    await keep(frames)
    for (const [at, step] of batch.entries()) {
      if (step.kind === 'note') continue
      onLogged(step.message, session)
      const frame = frames[at] ?? ''
      for (const peer of [...peers]) if (peer !== step.except) peer.send(frame)
    }
  }

  async function keep(frames: readonly string[]): Promise<void> {
    if (!isResumable) return
    try {
      await log.append(frames)
    } catch (cause) {
      isResumable = false
      onLogLost(cause)
      // Another process would continue with a session that is ahead of its log.
      await log.discard().catch(noop)
    }
  }

  function inOrder<Value>(work: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      add({ kind: 'run', run: () => work().then(resolve, reject) })
    })
  }

  const readLog = async (after: string): Promise<readonly string[]> =>
    (await log.after(after)).map(({ frame }) => frame)

  const session: RuntimeSession = {
    id,
    get scope() {
      return scope
    },
    adopt(next) {
      if (!scope.isAnonymous || next.names.every((name) => scope.names.includes(name))) return
      scope = joinScopes(scope, next)
      session.note(ownerEntry({ ...scope, capabilities: options.capabilities }))
    },
    capabilities: options.capabilities,
    peers,
    get isResumable() {
      return isResumable
    },
    emit(type, payload, members, except) {
      // A type of the core, or of an extension: who emits it has made the payload of that type.
      const written = writer.extension(type, payload, members)
      // The clock of the process that began the session may have been ahead: what follows has to sort behind.
      const ownId = lastId === undefined || written.id > lastId ? written.id : `${lastId}0`
      lastId = ownId
      add({ kind: 'log', message: { ...written, id: ownId, session_id: id }, except })
      return ownId
    },
    note: (entry) => add({ kind: 'note', entry }),
    reply(peer, type, payload, members) {
      add({ kind: 'send', peer, message: { ...writer.write(type, payload, members), session_id: id } })
    },
    follow: (peer, after) =>
      inOrder(async () => {
        for (const frame of await readLog(after)) peer.send(frame)
        peers.add(peer)
      }),
    join: (peer) => void peers.add(peer),
    leave: (peer) => void peers.delete(peer),
    logged: (after) => inOrder(() => readLog(after)),
    settled: () => inOrder(async () => undefined),
    end: (isKept) => inOrder(() => (isKept ? log.close() : log.discard())),
  }
  return session
}

/** A logged message, as an object. */
export function messageOf(frame: string): JsonObject {
  // The runtime wrote it.
  return JSON.parse(frame) as JsonObject
}
