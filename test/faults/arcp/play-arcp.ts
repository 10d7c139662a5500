import { ArcpClient } from '../../../src/protocols/arcp/client/arcp-client.ts'
import type { CommandResult } from '../../../src/seam/command.ts'
import { createMemoryRuntime } from '../../support/arcp-memory-runtime.ts'
import type { MemoryRuntime, RuntimeJob } from '../../support/arcp-memory-runtime.ts'
import { loadArcpOnDemand } from '../../support/load-arcp-on-demand.ts'
import { settle } from '../../support/manual-clock.ts'
import { createManualEnvironment } from '../../support/manual-environment.ts'
import { createRandomUuid } from '../../support/random-uuid.ts'
import { promise } from '../property/invariants.ts'
import type { ArcpSchedule, ArcpStep } from './arcp-schedule.ts'
import { JOBS } from './arcp-schedule.ts'
import type { ShownRun } from './shown-run.ts'
import { showRun } from './shown-run.ts'

// Loaded on demand; loaded before, nothing but promises remains.
await loadArcpOnDemand()

const PERMISSION = { permission: 'fs.write', resource: 'notes.txt', operation: 'write' }
const ANSWERS = ['human.input.response', 'permission.grant', 'permission.deny']

/**
 * Plays a schedule against the real client and a runtime in memory, in virtual time. Gives what it met.
 * @throws BrokenPromise when the library does what it never may
 */
export async function playArcp({ chance, steps }: ArcpSchedule): Promise<ReadonlyMap<string, number>> {
  const manual = createManualEnvironment()
  manual.chance = chance
  const environment = { ...manual, uuid: createRandomUuid() }
  const runtime = createMemoryRuntime()
  /** All that the tool of each job has said. */
  const truth = new Map<number, string>()
  /** The questions of each job. */
  const asked = new Map<number, string[]>()
  /** Answers that the client says were taken, by question. */
  const taken = new Map<string, CommandResult['result']>()
  const met = new Map<string, number>()
  let arcp = new ArcpClient({ transport: runtime.transport, environment })
  let words = 0
  const count = (what: string): void => void met.set(what, (met.get(what) ?? 0) + 1)

  const shown = Array.from({ length: JOBS }, (_, at) => showRun(arcp, at))
  await settle()
  for (const step of steps) {
    if (await perform(step)) count(step.type)
    await settle()
    check()
  }
  await finish()
  return met

  function jobOf(at: number): RuntimeJob | undefined {
    return [...runtime.jobs.values()].find(({ given }) => given.at === at)
  }

  function ask(at: number, type: string, payload: Parameters<RuntimeJob['emit']>[1]): boolean {
    const job = jobOf(at)
    if (job === undefined || job.isOver) return false
    asked.set(at, [...(asked.get(at) ?? []), job.emit(type, payload)])
    return true
  }

  /** Sends an answer to the first question of its kind that is open, and that nobody has answered rightly. */
  function answer(run: ShownRun, isPermission: boolean, send: (promptId: string) => Promise<CommandResult>): boolean {
    const promptId = [...run.prompts].find(([id, state]) => {
      const prompt = arcp.getState().prompts.get(id)
      return state === 'open' && !taken.has(id) && (prompt?.kind === 'permission') === isPermission
    })?.[0]
    if (promptId === undefined) return false
    taken.set(promptId, 'too-late')
    void told(promptId, send(promptId))
    return true
  }

  async function told(promptId: string, sent: Promise<CommandResult>): Promise<void> {
    try {
      const { result } = await sent
      count(`answer ${result}`)
      if (result === 'invalid') taken.delete(promptId)
      else taken.set(promptId, result)
    } catch {
      count('answer unknown')
    }
  }

  /** Whether anything happened. */
  async function perform(step: ArcpStep): Promise<boolean> {
    const run = 'job' in step ? shown[step.job] : undefined
    const job = 'job' in step ? jobOf(step.job) : undefined
    switch (step.type) {
      case 'say':
        if (job === undefined || job.isOver) return false
        words += 1
        truth.set(step.job, `${truth.get(step.job) ?? ''}${words} `)
        job.say(`${words} `)
        return true
      case 'ask':
        return ask(step.job, 'human.input.request', { prompt: 'Which?' })
      case 'permit':
        if (run === undefined) return false
        return (
          answer(run, true, (id) =>
            arcp.answer(id, step.grant ? { type: 'option', optionId: 'grant' } : { type: 'decline' }),
          ) || ask(step.job, 'permission.request', PERMISSION)
        )
      case 'answer':
        if (run === undefined) return false
        return answer(run, false, (id) => arcp.answer(id, { type: 'value', value: step.wrong ? 'wrong' : 'right' }))
      case 'end':
      case 'fail':
        if (job === undefined || job.isOver) return false
        if (step.type === 'end') job.end()
        else job.fail('INTERNAL', 'It broke.')
        return true
      case 'cut':
        runtime.refuse = step.refuse
        runtime.cut()
        return true
      case 'mute':
        runtime.mute()
        return true
      case 'double':
        runtime.doubles = !runtime.doubles
        return true
      case 'reorder':
        runtime.reorders = !runtime.reorders
        return true
      case 'evict':
        runtime.emit('session.evicted', { reason: 'RESOURCE_EXHAUSTED', allow_resume: true })
        return true
      case 'leave':
        run?.session?.disconnect()
        return true
      case 'resume':
        run?.session?.resume()
        return true
      case 'stop':
        if (run === undefined || run.ending !== undefined) return false
        run.isStopped = true
        void run.session?.stop()
        return true
      case 'reload':
        for (const { session } of shown) session?.disconnect()
        arcp.close()
        arcp = new ArcpClient({ transport: runtime.transport, environment })
        for (const one of shown) {
          one.session = undefined
          if (one.ending === undefined) one.reopen(arcp)
        }
        return true
      case 'wait':
        runtime.flush()
        await environment.clock.advance(step.ms)
        return true
    }
  }

  function check(): void {
    for (const { at, text } of shown) {
      const said = truth.get(at) ?? ''
      promise(said.startsWith(text), () => `job ${at} shows «${text}» of «${said}»`)
      const executions = [...runtime.jobs.values()].filter(({ given }) => given.at === at).length
      promise(executions <= 1, () => `job ${at} is executed ${executions} times`)
    }
    promise(runtime.mostOpen <= 1, () => `${runtime.mostOpen} sockets are open at a time`)
  }

  /** Nothing more goes wrong: every run that was not stopped shows all, and nothing is left behind. */
  async function finish(): Promise<void> {
    runtime.refuse = 0
    runtime.doubles = false
    runtime.reorders = false
    runtime.flush()
    for (const { session } of shown) session?.resume()
    await environment.clock.advance(300_000)
    for (let at = 0; at < JOBS; at++) {
      const job = jobOf(at)
      if (job !== undefined && !job.isOver) job.end()
    }
    await environment.clock.advance(300_000)
    await settle()
    check()
    for (const run of shown) if (!run.isStopped) assertWhole(run)
    assertAnsweredOnce(runtime, taken)
    for (const { ending } of shown)
      count(`ending: ${ending?.type === 'failed' ? `failed ${ending.error.code}` : (ending?.type ?? 'none')}`)
    arcp.close()
    await settle()
    const left = [runtime.open, environment.clock.pending, manual.listeners, manual.reports.length]
    promise(
      left.every((many) => many === 0),
      () => `sockets, timers, listeners, reports that are left: ${left.join()}`,
    )
  }

  function assertWhole({ at, text, ending, prompts }: ShownRun): void {
    promise(text === (truth.get(at) ?? ''), () => `job ${at} shows «${text}» of «${truth.get(at)}» in the end`)
    const hasFailed = ending?.type === 'failed' && ending.error.agentCode === 'INTERNAL'
    promise(ending?.type === 'finished' || hasFailed, () => `job ${at} ends as ${JSON.stringify(ending)}`)
    const lost = (asked.get(at) ?? []).filter((id) => !prompts.has(id))
    promise(lost.length === 0, () => `job ${at} does not show what it asked: ${lost.join()}`)
    const open = [...prompts].filter(([id, state]) => state === 'open' && taken.get(id) !== 'accepted')
    promise(open.length === 0, () => `job ${at} has ended, and its questions are open: ${open.join()}`)
  }
}

/** One answer is one message, however often it was sent, and one that was taken has arrived. */
function assertAnsweredOnce(runtime: MemoryRuntime, taken: ReadonlyMap<string, string>): void {
  const messages = new Map<string, Set<string>>()
  for (const { id, type, correlation_id: promptId = '', payload } of runtime.received)
    if (ANSWERS.includes(type) && payload.value !== 'wrong')
      messages.set(promptId, (messages.get(promptId) ?? new Set()).add(id))
  for (const [promptId, ids] of messages)
    promise(ids.size <= 1, () => `the question ${promptId} is answered by ${ids.size} messages`)
  for (const [promptId, result] of taken)
    promise(result !== 'accepted' || messages.has(promptId), () => `an answer to ${promptId} was taken that never came`)
}
