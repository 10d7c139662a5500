import type { Clock } from '../base/ports/clock.ts'
import type { Agent } from '../server/run/agent.ts'
import type { AgentHandlerOptions } from '../server/handler/agent-handler.ts'
import { createAgentHandler } from '../server/handler/agent-handler.ts'
import type { EventLog } from '../server/event-log/event-log.ts'
import { memoryEventLog } from '../server/event-log/memory-event-log.ts'
import type { ConnectionFault } from './connection-fault.ts'
import type { CommandFaults, SeenCommand } from './command-fault.ts'
import { carryCommand, seenCommand } from './command-fault.ts'
import type { AttemptFault, Outcome, SeenAttempt } from './faulty-answer.ts'
import { answerOf, answerInstead, seenAttempt, stepsOf } from './faulty-answer.ts'

/** An agent behind the real handler, and what goes wrong on the way to it. */
export interface FaultyAgent {
  readonly attempts: readonly SeenAttempt[]
  /** How often the agent was started. */
  readonly runs: number
  /** All text of the last run, as the agent emitted it: the final text of a chat. */
  readonly text: string
  /** Every request on a control endpoint, in order. */
  readonly commands: readonly SeenCommand[]
  /** @param body the request's, read already: a test wants to compare it */
  take(http: Request, body: string, fault: AttemptFault | ConnectionFault | undefined): Promise<Outcome>
}

export interface FaultyAgentOptions extends Pick<AgentHandlerOptions, 'heartbeatMs' | 'uuid'> {
  readonly agent: Agent
  readonly clock: Clock
  readonly commandFaults?: CommandFaults | undefined
  /** Whether runs take commands. @default true */
  readonly control?: boolean | undefined
}

export function createFaultyAgent({
  agent,
  clock,
  commandFaults = [],
  control = true,
  ...rest
}: FaultyAgentOptions): FaultyAgent {
  const attempts: SeenAttempt[] = []
  const commands: SeenCommand[] = []
  let runs = 0
  let said: string[] = []
  const memory = memoryEventLog({ clock })
  const log = observed(memory, {
    begun: () => {
      said = []
    },
    heard: (frame) => said.push(frame),
    control,
  })
  const counted: Agent = (request, run) => {
    runs += 1
    return agent(request, run)
  }
  const options = { agent: counted, log, clock, onError: () => {}, ...rest }
  const handler = createAgentHandler(options)
  const restarting = createAgentHandler({ ...options, onExpired: 'restart' })

  const send = (http: Request, body: string, to = handler): Promise<Response> =>
    to(
      new Request(http.url, {
        method: http.method,
        headers: http.headers,
        signal: http.signal,
        ...(http.method === 'POST' && { body }),
      }),
    )

  const carry = async (http: Request, body: string, command: SeenCommand): Promise<Outcome> => {
    const ordinal = commands.push(command) - 1
    const fault = typeof commandFaults === 'function' ? commandFaults(command, ordinal) : commandFaults[ordinal]
    const head = await carryCommand(() => send(http, body), fault, clock)
    return head === undefined ? { type: 'reset' } : { type: 'answer', head, steps: stepsOf(head, undefined) }
  }

  return {
    attempts,
    commands,
    get runs() {
      return runs
    },
    get text() {
      return said.map(textOfFrame).join('')
    },
    async take(http, body, fault) {
      const command = seenCommand(http, body, clock.now())
      if (command !== undefined) return carry(http, body, command)
      const attempt = seenAttempt(http, body, clock.now())
      const { requestId } = attempt
      attempts.push(attempt)
      const instead = answerInstead(fault)
      if (instead !== undefined) return instead
      if (fault?.type === 'lose-log') await memory.expire(requestId)
      const isRestarted = fault?.type === 'lose-log' && fault.answer !== 'conflict'
      return answerOf(await send(http, body, isRestarted ? restarting : handler), fault)
    },
  }
}

/** An event log that also reports its entries. */
function observed(
  log: EventLog,
  on: { begun(): void; heard(frame: string): void; readonly control: boolean },
): EventLog {
  const { command, ...rest } = log
  return {
    ...rest,
    ...(on.control && command !== undefined && { command }),
    async begin(key, options) {
      const begun = await log.begin(key, options)
      if (begun.state !== 'created') return begun
      on.begun()
      const { writer } = begun
      return {
        ...begun,
        writer: {
          ...writer,
          async append(entry) {
            await writer.append(entry)
            if (entry.kind === 'frame') on.heard(entry.text)
          },
        },
      }
    },
  }
}

function textOfFrame(frame: string): string {
  const data = frame.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
  // The handler wrote it: a packet of the schema of record.
  const packet = JSON.parse(data.join('\n')) as { readonly op: string; readonly p: string }
  return packet.op === 'DELTA' ? packet.p : ''
}
