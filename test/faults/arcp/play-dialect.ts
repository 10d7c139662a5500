import { ArcpClient, toolClient } from '../../../src/protocols/arcp/client/arcp-client.ts'
import { openRun } from '../../../src/session/session.ts'
import type { ResumePoint } from '../../../src/session/resume-point.ts'
import { createResumePoint } from '../../../src/session/resume-point.ts'
import type { Session } from '../../../src/session/agent-client.ts'
import type { DialectJob } from '../../support/arcp-dialect-runtime.ts'
import { createDialectRuntime, DIALECT_TOKEN } from '../../support/arcp-dialect-runtime.ts'
import { settle as settleOnce } from '../../support/manual-clock.ts'
import { createManualEnvironment } from '../../support/manual-environment.ts'
import { createRandomUuid } from '../../support/random-uuid.ts'

/** What may happen next. `work`: a job does its next step; `lose`: the next event does not come, and can be had again. */
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

/** A move, and the job that it is about. */
export interface DialectMove {
  readonly move: (typeof DIALECT_MOVES)[number]
  readonly job: 0 | 1
}

export interface DialectSchedule {
  readonly historyFirst: boolean
  readonly freesAcked: boolean
  readonly doubles: boolean
  readonly moves: readonly DialectMove[]
}

/** What became of a job. */
export interface PlayedJob {
  readonly said: string
  /** At each moment the text was a prefix of the final text. */
  readonly isPrefix: boolean
  readonly endings: readonly string[]
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

/** Plays a schedule of two jobs on one session in virtual time, then lets them come to their end. */
export async function playDialect({
  moves,
  ...options
}: DialectSchedule): Promise<{ readonly jobs: number; readonly played: readonly PlayedJob[] }> {
  const environment = { ...createManualEnvironment(), uuid: createRandomUuid() }
  const runtime = createDialectRuntime(options)

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

  /** A run, on this page and those after it. */
  function createRun(requestId: string) {
    const endings: string[] = []
    let said = ''
    let isPrefix = true
    let step = 0
    let page: { readonly session: Session; readonly resumePoint: ResumePoint } | undefined

    async function open(resumePoint: ResumePoint): Promise<void> {
      const client = toolClient(arcp, { tool: 'assistant', toArguments: ({ text }) => ({ question: text }) })
      const request = await client.createRequest({ text: requestId, conversationId: 'c1', requestId })
      const session = openRun({
        client,
        request,
        requestId,
        resumePoint,
        onEvents(events) {
          for (const { event } of events) if (event.type === 'text') said += event.text
          isPrefix &&= TRUTH.startsWith(said)
        },
        onEnded: ({ type }) => void (type !== 'stopped' && endings.push(type)),
      })
      page = { session, resumePoint }
      session.start()
    }

    return {
      get played(): PlayedJob {
        return { said, isPrefix, endings }
      },
      get isOver() {
        return endings.length > 0
      },
      begin: () => open(createResumePoint()),
      work() {
        const job = [...runtime.jobs.values()].find(({ submit }) => submit.idempotency_key === requestId)
        if (job === undefined) return
        STEPS[step]?.(job)
        step += 1
      },
      /** What is stored of it is all that is left. */
      leave() {
        const kept = page && { ...structuredClone(page.resumePoint), restored: true }
        page?.session.disconnect()
        return () => (kept === undefined || endings.length > 0 ? Promise.resolve() : open(kept))
      },
    }
  }

  const runs = [createRun('r0'), createRun('r1')] as const
  for (const run of runs) await run.begin()
  await settle()
  for (const { move, job } of moves) {
    const run = runs[job]
    if (move === 'work') run.work()
    else if (move === 'cut') runtime.cut()
    else if (move === 'cut-soon') runtime.cutAt = runtime.sentFrames.length + 2
    else if (move === 'expire') runtime.expire()
    else if (move === 'pass') await pass(30_000)
    else if (move === 'lose') runtime.loseNext()
    else if (move === 'leave') await run.leave()()
    else {
      const back = runs.map((each) => each.leave())
      arcp.close()
      arcp = newClient()
      for (const open of back) await open()
    }
    await settle()
  }
  for (let turn = 0; turn < 40 && !runs.every(({ isOver }) => isOver); turn++) {
    for (const run of runs) run.work()
    await pass(20_000)
  }
  arcp.close()
  return { jobs: runtime.jobs.size, played: runs.map(({ played }) => played) }
}
