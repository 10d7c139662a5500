import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ArcpClient } from '../../../src/clients/arcp/arcp-client.ts'
import { toolClient } from '../../../src/clients/arcp/tool-client.ts'
import type { AgentEvent } from '../../../src/protocols/agent-event.ts'
import type { Ending } from '../../../src/session/ending.ts'
import { openRun } from '../../../src/session/open-run.ts'
import type { ResumePoint } from '../../../src/session/resume-point.ts'
import { createResumePoint } from '../../../src/session/resume-point.ts'
import type { Session } from '../../../src/session/session.ts'
import { createMemoryRuntime } from '../../support/arcp-memory-runtime.ts'
import { settle } from '../../support/manual-clock.ts'
import { createManualEnvironment } from '../../support/manual-environment.ts'
import { createRandomUuid } from '../../support/random-uuid.ts'

// What is loaded on demand is there.
beforeAll(() =>
  Promise.all([
    import('../../../src/protocols/arcp/job-commands.ts'),
    import('../../../src/clients/arcp/runtime-calls.ts'),
    import('../../../src/clients/arcp/call-runtime.ts'),
  ]),
)

/** More of them, with other values: `ARCP_SCHEDULES=20000 ARCP_SEED=1`. */
const RUNS = Number(process.env['ARCP_SCHEDULES'] ?? 150)
const SEED = Number(process.env['ARCP_SEED'] ?? 4711)

const job = fc.nat(2)
/** What the runtime does, what becomes of its connections, and what the user does, one after the other. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('say' as const), job }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('ask' as const), job }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('answer' as const), job }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('end' as const), job }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('cut' as const), refuse: fc.constantFrom(0, 0, 1, 3) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('mute' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('double' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('evict' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('leave' as const), job }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('resume' as const), job }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('stop' as const), job }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reload' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 900, 4_000, 70_000) }),
  },
)

const schedule = fc.record({ chance: fc.constantFrom(0, 0.3, 0.9), steps: fc.array(step, { maxLength: 30 }) })

type Schedule = typeof schedule extends fc.Arbitrary<infer Value> ? Value : never

/** A run as its page shows it. */
interface Shown {
  session: Session
  resumePoint: ResumePoint
  text: string
  readonly prompts: Map<string, string>
  ending: Ending | undefined
  isStopped: boolean
}

async function play({ chance, steps }: Schedule): Promise<void> {
  const manual = createManualEnvironment()
  manual.chance = chance
  const environment = { ...manual, uuid: createRandomUuid() }
  const runtime = createMemoryRuntime()
  const truth = new Map<number, string>()
  const runs: Shown[] = []
  const answered: string[] = []
  let arcp = new ArcpClient({ transport: runtime.transport, environment })
  let words = 0

  const jobOf = (at: number) => [...runtime.jobs.values()].find(({ given }) => given.at === at)

  function take(shown: Shown, events: readonly { readonly event: AgentEvent }[]): void {
    for (const { event } of events) {
      if (event.type === 'text') shown.text += event.text
      if (event.type === 'prompt') shown.prompts.set(event.prompt.id, 'open')
      if (event.type === 'prompt-settled') shown.prompts.set(event.promptId, event.state)
    }
  }

  async function open(at: number, shown: Shown | undefined): Promise<void> {
    const client = toolClient(arcp, { tool: 'count', toArguments: () => ({ at }) })
    const request = await client.createRequest({ text: '', conversationId: 'c', requestId: `r${at}` })
    const own: Shown = shown ?? {
      session: { connection: arcp.connection } as Session, // replaced below
      resumePoint: createResumePoint(),
      text: '',
      prompts: new Map(),
      ending: undefined,
      isStopped: false,
    }
    runs[at] = own
    const { resumePoint } = own
    own.session = openRun({
      client,
      request,
      requestId: `r${at}`,
      resumePoint,
      onEvents: (events) => take(own, events),
      onEnded: (ending) => {
        own.ending = ending
      },
    })
    own.session.start()
  }

  /** The page is loaded again: all it has is what was stored. */
  async function reload(): Promise<void> {
    for (const { session } of runs) session.disconnect()
    arcp.close()
    arcp = new ArcpClient({ transport: runtime.transport, environment })
    for (const [at, shown] of runs.entries()) {
      if (shown.ending !== undefined) continue
      shown.resumePoint = { ...structuredClone(shown.resumePoint), restored: true }
      await open(at, shown)
    }
  }

  function check(): void {
    for (const [at, shown] of runs.entries()) {
      const said = truth.get(at) ?? ''
      expect(said.startsWith(shown.text), `job ${at} shows ${shown.text} of ${said}`).toBe(true)
      expect([...runtime.jobs.values()].filter(({ given }) => given.at === at).length).toBeLessThanOrEqual(1)
    }
    expect(runtime.mostOpen).toBeLessThanOrEqual(1)
  }

  for (let at = 0; at < 3; at++) await open(at, undefined)
  await settle()
  for (const one of steps) {
    const shown = 'job' in one ? runs[one.job] : undefined
    const found = 'job' in one ? jobOf(one.job) : undefined
    switch (one.type) {
      case 'say':
        if (found === undefined || found.isOver) break
        words += 1
        truth.set(one.job, `${truth.get(one.job) ?? ''}${words} `)
        found.say(`${words} `)
        break
      case 'ask':
        if (found?.isOver === false) found.emit('human.input.request', { prompt: 'Which?' })
        break
      case 'answer': {
        const prompt = [...(shown?.prompts ?? [])].find(([, state]) => state === 'open')?.[0]
        if (shown === undefined || prompt === undefined || answered.includes(prompt)) break
        answered.push(prompt)
        void arcp.answer(prompt, { type: 'value', value: {} }).catch(() => undefined)
        break
      }
      case 'end':
        if (found?.isOver === false) found.end()
        break
      case 'cut':
        runtime.refuse = one.refuse
        runtime.cut()
        break
      case 'mute':
        runtime.mute()
        break
      case 'double':
        runtime.doubles = !runtime.doubles
        break
      case 'evict':
        runtime.emit('session.evicted', { reason: 'RESOURCE_EXHAUSTED', allow_resume: true })
        break
      case 'leave':
        shown?.session.disconnect()
        break
      case 'resume':
        shown?.session.resume()
        break
      case 'stop':
        if (shown === undefined || shown.ending !== undefined) break
        shown.isStopped = true
        void shown.session.stop()
        break
      case 'reload':
        await reload()
        break
      case 'wait':
        await environment.clock.advance(one.ms)
    }
    await settle()
    check()
  }
  await finish()

  /** Nothing more goes wrong: every run that was not stopped shows all, and nothing is left behind. */
  async function finish(): Promise<void> {
    runtime.refuse = 0
    runtime.doubles = false
    for (const { session } of runs) session.resume()
    await environment.clock.advance(300_000)
    for (let at = 0; at < 3; at++) {
      const found = jobOf(at)
      if (found !== undefined && !found.isOver) found.end()
    }
    await environment.clock.advance(300_000)
    await settle()
    check()
    for (const [at, shown] of runs.entries()) {
      if (shown.isStopped) continue
      expect(shown.text, `the text of job ${at}`).toBe(truth.get(at) ?? '')
      expect(shown.ending, `the end of job ${at}`).toMatchObject({ type: 'finished' })
    }
    // One answer is one message, however often it was sent.
    const answers = new Map<string, Set<string>>()
    for (const { id, correlation_id: asked = '' } of runtime.of('human.input.response'))
      answers.set(asked, (answers.get(asked) ?? new Set()).add(id))
    expect([...answers.values()].filter(({ size }) => size > 1)).toEqual([])
    arcp.close()
    await settle()
    expect([runtime.open, environment.clock.pending, manual.listeners, manual.reports]).toEqual([0, 0, 0, []])
  }
}

describe('jobs under schedules of faults', () => {
  it('show a prefix of the truth at each moment and all of it in the end, and each tool is invoked once', async () => {
    await fc.assert(fc.asyncProperty(schedule, play), { numRuns: RUNS, seed: SEED, endOnFailure: false })
  })
})
