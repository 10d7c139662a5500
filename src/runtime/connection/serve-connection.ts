import { attempt } from '../../base/attempt.ts'
import { noop } from '../../base/noop.ts'
import type { ArcpPayload, ArcpType } from '../../protocols/arcp/schema/payloads.ts'
import type { DuplexConnection } from '../../wire/duplex-transport.ts'
import { ArcpFault, type ClientCommand, type UnreadableCommand, readCommand } from '../session/arcp-fault.ts'
import { type Caller, type SessionCommand, carryOut, refuseCommand } from './commands.ts'
import type { RuntimeCore } from './runtime-core.ts'
import { type ServedSession, createServedSession } from './served-session.ts'
import type { Members, Peer, RuntimeSession } from '../session/runtime-session.ts'
import { type Scope, ownerKey, ownerKeys } from '../session/scope.ts'
import { createFairMemory } from '../session/quota.ts'

/** A message that answered a command. */
export interface Reply {
  readonly type: ArcpType
  readonly payload: object
  readonly members: Members | undefined
}

/** A connection that is served. */
export interface ServedConnection {
  readonly served: ServedSession
  /** Resolves when it has ended. */
  readonly done: Promise<void>
  /** Breaks it. */
  cut(): void
}

/**
 * Types that change nothing, change something of the connection, or are remembered elsewhere: carried out each time, until one is
 * refused.
 */
const REPEATED: ReadonlySet<ClientCommand['type']> = new Set<ClientCommand['type']>([
  'ping',
  'pong',
  'ack',
  'nack',
  'tool.invoke',
  'resume',
  'backpressure',
  'artifact.fetch',
])

/** Types that concern the connection alone: one that is repeated on another one is another command. */
const OF_CONNECTION: ReadonlySet<ClientCommand['type']> = new Set<ClientCommand['type']>(['subscribe', 'resume'])

export interface ConnectionOptions {
  /** Number of the connection. */
  readonly index: number
  readonly memory: CommandMemory<Reply>
}

/** Serves one connection: frames in their order, each carried out before the next. */
export function serveConnection(
  core: RuntimeCore,
  connection: DuplexConnection,
  { index, memory }: ConnectionOptions,
): ServedConnection {
  const followed = new Set<RuntimeSession>()
  const peer: Peer = {
    // Messages sent to a closed connection are replayed on the next one.
    send: (frame) => attempt(noop, () => connection.send(frame)),
    get buffered() {
      return connection.buffered ?? 0
    },
    close: () => connection.close(),
  }
  const served = createServedSession(core, peer)

  function callerOf(session: RuntimeSession, replies: Reply[]): Caller {
    return {
      session,
      peer,
      reply<Type extends ArcpType>(type: Type, payload: ArcpPayload<Type>, members?: Members): void {
        replies.push({ type, payload, members })
        session.reply(peer, type, payload, members)
      },
      async follow(other, after) {
        followed.add(other)
        core.sessions.join(other)
        await other.follow(peer, after)
      },
    }
  }

  async function take(command: ClientCommand | UnreadableCommand): Promise<void> {
    switch (command.type) {
      case 'session.open':
      case 'session.authenticate':
      case 'session.close':
        return served.take(command)
      case 'unreadable':
        // Before a session is there nothing is answered.
        if (served.session !== undefined) refuseCommand(callerOf(served.session, []), command.id, command.fault)
        return
      default:
        if (served.session !== undefined && isSessionCommand(command)) await once(served.session, command)
    }
  }

  /** Carries a command out, unless it was, or was refused: then it is answered as before. */
  async function once(session: RuntimeSession, command: SessionCommand): Promise<void> {
    const { scope } = session
    const { type: commandType, id } = command
    const key = { type: commandType, id, connection: OF_CONNECTION.has(commandType) ? index : undefined }
    const known = memory.find(scope, key)
    if (known !== undefined) {
      await known.done
      for (const { type, payload, members } of known.replies) session.reply(peer, type, payload, members)
      return
    }
    const replies: Reply[] = []
    const performed = perform(callerOf(session, replies), command)
    const remembered = { replies, done: performed.then(noop) }
    const isRepeated = REPEATED.has(commandType)
    if (!isRepeated) memory.add(scope, key, remembered)
    const refusal = await performed
    // The id of an accepted call stays that call's, even if another call reuses it.
    if (isRepeated && refusal !== undefined && refusal.code !== 'ALREADY_EXISTS') memory.add(scope, key, remembered)
  }

  /** Gives what the command was refused with. */
  async function perform(caller: Caller, command: SessionCommand): Promise<ArcpFault | undefined> {
    try {
      await carryOut(core, caller, command)
      return undefined
    } catch (cause) {
      if (!(cause instanceof ArcpFault)) core.environment.report(cause)
      const fault = cause instanceof ArcpFault ? cause : new ArcpFault('INTERNAL', 'The command has failed.', { cause })
      refuseCommand(caller, command.id, fault)
      return fault
    }
  }

  async function serve(): Promise<void> {
    try {
      for await (const frames of connection.frames) for (const frame of frames) await take(readCommand(frame))
    } catch {
      // It broke: its sessions are resumed on another one.
    } finally {
      leave()
      connection.close()
    }
  }

  function leave(): void {
    served.leave()
    core.subscriptions.leave(peer)
    if (served.session !== undefined) followed.add(served.session)
    for (const session of followed) {
      session.leave(peer)
      core.sessions.leave(session)
    }
  }

  return { served, done: serve(), cut: peer.close }
}

function isSessionCommand(command: ClientCommand): command is SessionCommand {
  return !command.type.startsWith('session.')
}

/** What a command was answered with, so that it can be answered again. */
interface Remembered<Reply> {
  readonly replies: Reply[]
  /** Resolves when the command has been carried out. */
  readonly done: Promise<void>
}

/** A command as it is found again. */
interface CommandKey {
  readonly type: string
  readonly id: string
  /** Number of the connection, for a command that concerns only that one. Absent: it concerns all connections of its principal. */
  readonly connection: number | undefined
}

/** Commands that were carried out, by the id of their message: each is carried out once (RFC section 6.4). In bounded memory. */
interface CommandMemory<Reply> {
  find(scope: Scope, command: CommandKey): Remembered<Reply> | undefined
  add(scope: Scope, command: CommandKey, remembered: Remembered<Reply>): void
}

/** Commands that are remembered. */
const KEPT = 50_000

export function createCommandMemory<Reply>(kept = KEPT): CommandMemory<Reply> {
  const all = new Map<string, Remembered<Reply>>()
  const memory = createFairMemory(kept)
  const keyOf = (owner: string, { type, id, connection }: CommandKey): string =>
    JSON.stringify([owner, type, id, connection])
  return {
    find: (scope, command) =>
      ownerKeys(scope)
        .map((owner) => all.get(keyOf(owner, command)))
        .find((each) => each !== undefined),
    add(scope, command, remembered) {
      const owner = ownerKey(scope)
      const key = keyOf(owner, command)
      all.set(key, remembered)
      const forgotten = memory.add(owner, key)
      if (forgotten !== undefined) all.delete(forgotten)
    },
  }
}
