import { ArcpClient } from '../../../src/clients/arcp/arcp-client.ts'
import { toolClient } from '../../../src/clients/arcp/tool-client.ts'
import { openRun } from '../../../src/session/open-run.ts'
import type { ResumePoint } from '../../../src/session/resume-point.ts'
import { createResumePoint } from '../../../src/session/resume-point.ts'
import type { Session } from '../../../src/session/session.ts'
import type { DialectJob } from '../../support/arcp-dialect-runtime.ts'
import { createDialectRuntime, DIALECT_TOKEN } from '../../support/arcp-dialect-runtime.ts'
import { settle as settleOnce } from '../../support/manual-clock.ts'
import { createManualEnvironment } from '../../support/manual-environment.ts'
import { createRandomUuid } from '../../support/random-uuid.ts'

/** What may happen next. `work`: the job does its next step; `lose`: its next event does not come, and can be had again. */
export const DIALECT_MOVES = [
  'work',
  'work',
  'work',
  'cut',
  'cut-soon',
  'expire',
  'reload',
  'leave',
  'pass',
  'lose',
] as const

export interface DialectSchedule {
  readonly historyFirst: boolean
  readonly freesAcked: boolean
  readonly doubles: boolean
  readonly moves: readonly (typeof DIALECT_MOVES)[number][]
}

const WORDS = ['Rivers ', 'meander ', 'because ', 'they ', 'erode ', 'their ', 'banks.']
export const TRUTH = WORDS.join('')

const STEPS: ((job: DialectJob) => void)[] = [
  ...WORDS.map((word, at) => (job: DialectJob) => {
    if (at % 2 === 0) job.emit('log', { level: 'info', message: word })
    job.say(word, at < WORDS.length - 1)
  }),
  (job) => job.end({ result_id: 'res_1', result_size: TRUTH.length }),
]

/** Plays a schedule in virtual time, then lets the job come to its end. */
export async function playDialect({ moves, ...options }: DialectSchedule) {
  const environment = { ...createManualEnvironment(), uuid: createRandomUuid() }
  const runtime = createDialectRuntime(options)
  let said = ''
  let isPrefix = true
  const endings: string[] = []
  let step = 0

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 8; turn++) await settleOnce()
  }
  const pass = async (ms: number): Promise<void> => {
    await environment.clock.advance(ms)
    await settle()
  }
  function newClient(): ArcpClient {
    const auth = { scheme: 'bearer', token: DIALECT_TOKEN } as const
    return new ArcpClient({ dialect: '1.1', transport: runtime.transport, environment, auth })
  }
  let arcp = newClient()

  async function open(
    resumePoint: ResumePoint,
  ): Promise<{ readonly session: Session; readonly resumePoint: ResumePoint }> {
    const client = toolClient(arcp, { tool: 'assistant', toArguments: ({ text }) => ({ question: text }) })
    const request = await client.createRequest({ text: 'Why?', conversationId: 'c1', requestId: 'r1' })
    const session = openRun({
      client,
      request,
      requestId: 'r1',
      resumePoint,
      onEvents(events) {
        for (const { event } of events) if (event.type === 'text') said += event.text
        isPrefix &&= TRUTH.startsWith(said)
      },
      onEnded: ({ type }) => void (type !== 'stopped' && endings.push(type)),
    })
    session.start()
    await settle()
    return { session, resumePoint }
  }

  function work(): void {
    const [job] = runtime.jobs.values()
    if (job === undefined) return
    STEPS[step]?.(job)
    step += 1
  }

  let page = await open(createResumePoint())
  for (const move of moves) {
    if (endings.length > 0) break
    const kept = { ...structuredClone(page.resumePoint), restored: true }
    if (move === 'work') work()
    else if (move === 'cut') runtime.cut()
    else if (move === 'cut-soon') runtime.cutAt = runtime.sentFrames.length + 2
    else if (move === 'expire') runtime.expire()
    else if (move === 'pass') await pass(30_000)
    else if (move === 'lose') runtime.loseNext()
    else {
      page.session.disconnect()
      if (move === 'reload') {
        arcp.close()
        arcp = newClient()
      }
      page = await open(kept)
    }
    await settle()
  }
  for (let turn = 0; turn < 40 && (step < STEPS.length || endings.length === 0); turn++) {
    work()
    await pass(20_000)
  }
  arcp.close()
  return { said, isPrefix, endings, jobs: runtime.jobs.size }
}
