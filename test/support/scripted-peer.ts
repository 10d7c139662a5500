import type { AgentErrorInit } from '../../src/base/agent-error.ts'
import { AgentError } from '../../src/base/agent-error.ts'
import type { AgentEvent } from '../../src/seam/agent-event.ts'
import type { Command, CommandResult } from '../../src/seam/command.ts'
import type { AgentProtocol, Batch, Cursor, Delivery, Opening } from '../../src/seam/protocol.ts'

/** One connection attempt as the far side sees it. */
export interface Connection {
  readonly opening: Opening<string>
  readonly aborted: boolean
  /** The far side has said its last: what is left of the response is only read to its end. */
  readonly isOver: boolean
  /** Headers, or a heartbeat. */
  alive(): void
  /** A part of a frame. */
  drip(): void
  say(seq: number, text: string, streamId?: string): void
  event(seq: number, event: AgentEvent, streamId?: string): void
  close(seq: number, streamId?: string): void
  /** Everything in one network chunk. */
  batch(...deliveries: Delivery[]): void
  /** A clean end of the response. */
  end(): void
  fail(error: AgentError): void
}

export interface ScriptedPeer {
  readonly protocol: AgentProtocol<string>
  readonly connections: readonly Connection[]
  readonly commands: readonly Command[]
  /** The newest connection. */
  readonly connection: Connection
}

export const failure = (init: Partial<AgentErrorInit> = {}): AgentError =>
  new AgentError({
    kind: 'connection',
    code: 'network_error',
    severity: 'TRANSIENT',
    message: 'The connection broke.',
    ...init,
  })

export const textDelivery = (seq: number, text: string, streamId = 's1'): Delivery =>
  delivery(seq, { type: 'text', streamId, text }, streamId)

export function delivery(seq: number | undefined, event: AgentEvent, streamId = 's1'): Delivery {
  return { event, cursor: { streamId, seq }, progress: event.type !== 'stream-interrupted', source: seq }
}

/** A protocol whose every connection is played by the test. */
export function createScriptedPeer(
  options: {
    readonly canAct?: boolean
    readonly sharesState?: boolean
    readonly onCommand?: (command: Command) => CommandResult | Promise<CommandResult>
    readonly canResume?: (cursors: readonly Cursor[]) => boolean
  } = {},
): ScriptedPeer {
  const connections: Connection[] = []
  const commands: Command[] = []

  function open(opening: Opening<string>): AsyncIterable<Batch> {
    const steps: (Batch | AgentError | 'end')[] = []
    let isOver = false
    let wake = (): void => {}
    const push = (step: Batch | AgentError | 'end'): void => {
      steps.push(step)
      wake()
    }
    const connection: Connection = {
      opening,
      get aborted() {
        return opening.signal.aborted
      },
      get isOver() {
        return isOver
      },
      alive: () => push({ deliveries: [] }),
      drip: () => push({ deliveries: [], partial: true }),
      say: (seq, text, streamId) =>
        push({ deliveries: [textDelivery(seq, text, streamId)], handle: { lastEventId: streamId ?? 's1' } }),
      event(seq, event, streamId) {
        isOver ||= event.type === 'run-finished'
        push({ deliveries: [delivery(seq, event, streamId)] })
      },
      close(seq, streamId = 's1') {
        isOver = true
        push({ deliveries: [delivery(seq, { type: 'stream-closed', streamId }, streamId)] })
      },
      batch: (...deliveries) => push({ deliveries }),
      end: () => push('end'),
      fail: (error) => push(error),
    }
    connections.push(connection)
    opening.signal.addEventListener('abort', () => push(failure({ message: 'aborted' })))
    return read()

    async function* read(): AsyncGenerator<Batch> {
      for (;;) {
        const step = steps.shift()
        if (step === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          continue
        }
        if (step === 'end') return
        if (step instanceof AgentError) throw step
        yield step
      }
    }
  }

  return {
    protocol: {
      name: 'scripted',
      firstSeq: 1,
      sharesState: options.sharesState,
      open,
      createError: (init) => new AgentError(init),
      ...(options.canResume === undefined ? {} : { canResume: options.canResume }),
      ...(options.canAct === true
        ? {
            act: async (command: Command): Promise<CommandResult> => {
              commands.push(command)
              return options.onCommand?.(command) ?? { result: 'accepted' }
            },
          }
        : {}),
    },
    connections,
    commands,
    get connection() {
      const connection = connections.at(-1)
      if (connection === undefined) throw new Error('No connection was opened yet.')
      return connection
    },
  }
}
