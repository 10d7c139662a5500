import { attempt } from '../../../base/attempt.ts'
import { noop } from '../../../base/noop.ts'
import type { ArcpPayload, ArcpType } from '../../../protocols/arcp/schema/payloads.ts'
import type { DuplexConnection } from '../../../wire/duplex-transport.ts'
import { ArcpFault } from '../message/arcp-fault.ts'
import type { CommandMemory } from './command-memory.ts'
import type { Caller, SessionCommand } from './commands.ts'
import { carryOut, refuseCommand } from './commands.ts'
import type { ClientCommand, UnreadableCommand } from '../message/read-command.ts'
import { readCommand } from '../message/read-command.ts'
import type { RuntimeCore } from './runtime-core.ts'
import type { ServedSession } from './served-session.ts'
import { createServedSession } from './served-session.ts'
import type { Members, Peer, RuntimeSession } from '../session/runtime-session.ts'

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

/** Types that change nothing, or something of the connection: carried out each time. */
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

/** Serves one connection: frames in their order, each carried out before the next. */
export function serveConnection(
  core: RuntimeCore,
  connection: DuplexConnection,
  memory: CommandMemory<Reply>,
): ServedConnection {
  const followed = new Set<RuntimeSession>()
  const peer: Peer = {
    // What a connection that is gone was told is replayed on the next one.
    send: (frame) => attempt(noop, () => connection.send(frame)),
    get buffered() {
      return connection.buffered ?? 0
    },
    close: () => connection.close(),
  }
  const served = createServedSession(core, peer)
  /** Subscriptions belong to the connection: one that is asked for again on another one is another. */
  const subscribed = new Set<string>()

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

  /** Carries a command out, unless it was: then it is answered as before. */
  async function once(session: RuntimeSession, command: SessionCommand): Promise<void> {
    if (REPEATED.has(command.type)) return perform(callerOf(session, []), command)
    if (command.type === 'subscribe') {
      if (subscribed.has(command.id)) return
      subscribed.add(command.id)
      return perform(callerOf(session, []), command)
    }
    const { scope } = session
    const known = memory.find(scope, command.id)
    if (known !== undefined) {
      await known.done
      for (const { type, payload, members } of known.replies) session.reply(peer, type, payload, members)
      return
    }
    const replies: Reply[] = []
    const done = perform(callerOf(session, replies), command)
    memory.add(scope, command.id, { replies, done })
    await done
  }

  async function perform(caller: Caller, command: SessionCommand): Promise<void> {
    try {
      await carryOut(core, caller, command)
    } catch (cause) {
      if (!(cause instanceof ArcpFault)) core.environment.report(cause)
      const fault = cause instanceof ArcpFault ? cause : new ArcpFault('INTERNAL', 'The command has failed.', { cause })
      refuseCommand(caller, command.id, fault)
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
