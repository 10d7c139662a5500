import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import type { EventLog } from '../../../src/server/event-log/event-log.ts'
import { directOf, type DirectHandler } from '../../../src/server/http/stream-response.ts'
import type { Clock } from '../../../src/base/ports/clock.ts'
import type { Thread, VirtualTime } from '../../storage/model/virtual-time.ts'
import type { AskingAgent } from './asking-agent.ts'
import { noteArrivals, type LogWitness } from './log-witness.ts'
import { createSharedLog } from './shared-log.ts'

/** One life of a server process. */
export interface ServerProcess {
  readonly thread: Thread
  readonly handle: DirectHandler
  /** Called when it dies: its connections break. */
  readonly onDeath: Set<() => void>
}

/** The processes of the real handler, over one log. */
export interface VirtualServers {
  /** Those that are alive. */
  readonly alive: readonly ServerProcess[]
  kill(index: number): void
  block(index: number, ms: number): void
  setClock(ms: number): void
  failNextWrite(): void
  /** Nothing fails from now on. */
  heal(): void
  /** Threads of processes that have died. */
  readonly deaths: ReadonlySet<unknown>
}

const RESTART_MS = 800

export function createVirtualServers(
  time: VirtualTime,
  random: () => number,
  kind: 'memory' | 'shared',
  agent: AskingAgent,
  witness: LogWitness,
): VirtualServers {
  const alive: ServerProcess[] = []
  const deaths = new Set<unknown>()
  let ids = 0
  let ahead = 0
  const clockOf = (thread: Thread): Clock => ({ ...thread.clock, date: () => thread.clock.date() + ahead })
  const shared =
    kind === 'shared'
      ? createSharedLog(time, random, { clock: time.createThread().clock }, (command) => witness.arrived(command))
      : undefined

  function logOf(thread: Thread): EventLog {
    if (shared !== undefined) return witness.watch(shared.viewOf(thread))
    const log = memoryEventLog({ clock: clockOf(thread) })
    return witness.watch(noteArrivals(log, (command) => witness.arrived(command)))
  }

  function start(): void {
    const thread = time.createThread()
    const handler = createAgentHandler({
      agent: agent.agentOf(thread),
      log: logOf(thread),
      clock: clockOf(thread),
      uuid: () => `00000000-0000-4000-9000-${String((ids += 1)).padStart(12, '0')}`,
      onError: () => {},
    })
    const handle = directOf(handler)
    if (handle === undefined) throw new Error('The handler cannot be asked directly.')
    alive.push({ thread, handle, onDeath: new Set() })
  }

  start()
  if (kind === 'shared') start()

  return {
    alive,
    deaths,
    kill(index) {
      const [process] = alive.splice(index % Math.max(1, alive.length), 1)
      if (process === undefined) return
      const { thread, onDeath } = process
      thread.end()
      deaths.add(thread)
      if (shared === undefined) witness.lose()
      else shared.died(thread)
      for (const tell of [...onDeath]) tell()
      time.after(RESTART_MS, start)
    },
    block(index, ms) {
      alive[index % Math.max(1, alive.length)]?.thread.block(ms)
    },
    setClock(ms) {
      ahead += ms
    },
    failNextWrite() {
      shared?.failNext()
    },
    heal() {
      shared?.heal()
    },
  }
}
