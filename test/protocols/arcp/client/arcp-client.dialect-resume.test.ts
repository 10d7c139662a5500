import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ArcpClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import type { ArcpMessage } from '../../../../src/protocols/arcp/read/message.ts'
import type { ResumePoint } from '../../../../src/session/resume-point.ts'
import { createResumePoint } from '../../../../src/session/resume-point.ts'
import type { ChatInstance } from '../../../../src/state/chat.ts'
import { createChat } from '../../../../src/state/chat.ts'
import type { DialectJob, DialectRuntime, DialectRuntimeOptions } from '../../../support/arcp-dialect-runtime.ts'
import { createDialectRuntime, DIALECT_TOKEN } from '../../../support/arcp-dialect-runtime.ts'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'
import type { ManualEnvironment } from '../../../support/manual-environment.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'
import { createRandomUuid } from '../../../support/random-uuid.ts'
import type { RunPage } from './run-page.ts'
import { assistantOf, openRunPage, saidOn, settlePage, storedPoint } from './run-page.ts'

beforeAll(loadArcpOnDemand)

const uuid = createRandomUuid()
let environment: ManualEnvironment
let runtime: DialectRuntime
let arcp: ArcpClient
let heard: ArcpMessage[]

function newClient(): ReturnType<typeof assistantOf> {
  const auth = { scheme: 'bearer', token: DIALECT_TOKEN } as const
  arcp = new ArcpClient({ dialect: '1.1', transport: runtime.transport, environment: { ...environment, uuid }, auth })
  arcp.onMessage((message) => heard.push(message))
  return assistantOf(arcp)
}

function start(options: DialectRuntimeOptions = {}): void {
  environment = createManualEnvironment()
  runtime = createDialectRuntime(options)
  heard = []
}

beforeEach(() => start())

const settle = (): Promise<void> => settlePage(environment)

async function pass(ms: number): Promise<void> {
  await environment.clock.advance(ms)
  await settle()
}

function job(at = 0): DialectJob {
  const found = [...runtime.jobs.values()][at]
  if (found === undefined) throw new Error(`There is no job ${at}.`)
  return found
}

const WORDS = ['Rivers ', 'meander ', 'because ', 'they ', 'erode.']
const TRUTH = WORDS.join('')

/** Works in steps, each between two turns of the test. */
const STEPS: ((own: DialectJob) => void)[] = [
  (own) => own.emit('thought', { text: 'Hm.' }),
  ...WORDS.map((word, at) => (own: DialectJob) => own.say(word, at < WORDS.length - 1)),
  (own) => own.emit('tool_call', { tool: 'search', args: { q: 1 }, call_id: 'c1' }),
  (own) => own.emit('tool_result', { call_id: 'c1', result: { hits: 3 } }),
  (own) => own.end({ result_id: 'res_1', result_size: TRUTH.length }),
]

const partsOf = (chat: ChatInstance) =>
  chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')?.parts ?? []
const textOf = (chat: ChatInstance): string =>
  partsOf(chat)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')

/** A chat over a job, with text that is looked at after each step. */
async function play(): Promise<{ readonly chat: ChatInstance; readonly texts: readonly string[] }> {
  const client = newClient()
  const chat = createChat({ client: () => client, conversationId: 'c1' })
  const texts: string[] = []
  chat.subscribe(() => texts.push(textOf(chat)))
  void chat.sendMessage('Why?')
  await settle()
  if (runtime.jobs.size === 0) await pass(10_000)
  for (const step of STEPS) {
    step(job())
    await settle()
  }
  await pass(60_000)
  return { chat, texts }
}

describe('a chat over a job of dialect 1.1', () => {
  it('shows text, thoughts and calls of tools', async () => {
    const { chat } = await play()
    expect(textOf(chat)).toBe(TRUTH)
    expect(partsOf(chat)).toMatchObject([
      { type: 'thought', text: 'Hm.', status: 'complete' },
      { type: 'text', text: TRUTH },
      { type: 'tool-call', name: 'search', input: { q: 1 }, output: { hits: 3 }, status: 'complete' },
    ])
    expect(chat.getSnapshot().messages.at(-1)?.status).toBe('complete')
  })

  it('shows a call that was refused, of which only the result comes', async () => {
    const client = newClient()
    const chat = createChat({ client: () => client, conversationId: 'c1' })
    void chat.sendMessage('Why?')
    await settle()
    job().emit('tool_result', { call_id: 'c9', error: { code: 'PERMISSION_DENIED', message: 'No.', retryable: false } })
    await settle()
    expect(partsOf(chat)).toMatchObject([
      { type: 'tool-call', name: 'tool', status: 'failed', output: { code: 'PERMISSION_DENIED' } },
    ])
  })

  it('is whole and submitted once, whichever frame the connection is cut before', async () => {
    await play()
    const frames = runtime.sentFrames.length
    expect(frames).toBeGreaterThan(12)
    for (let at = 0; at < frames; at += 1) {
      start()
      runtime.cutAt = at
      const { chat, texts } = await play()
      expect(textOf(chat), `cut before frame ${at}`).toBe(TRUTH)
      for (const text of texts) expect(TRUTH.startsWith(text), `cut before frame ${at}: ${text}`).toBe(true)
      expect(
        partsOf(chat).filter(({ type }) => type === 'tool-call'),
        `cut before frame ${at}`,
      ).toHaveLength(1)
      expect(chat.getSnapshot().messages.at(-1)?.status, `cut before frame ${at}`).toBe('complete')
      expect(runtime.jobs.size, `cut before frame ${at}`).toBe(1)
      arcp.close()
    }
  })

  it('is whole when the session has expired at a cut, whichever it is, and the history comes before or after the answer', async () => {
    for (const historyFirst of [true, false])
      for (let at = 0; at < STEPS.length; at += 1) {
        start({ historyFirst })
        const client = newClient()
        const chat = createChat({ client: () => client, conversationId: 'c1' })
        void chat.sendMessage('Why?')
        await settle()
        for (const [step, work] of STEPS.entries()) {
          work(job())
          if (step === at) runtime.expire()
          await settle()
        }
        await pass(60_000)
        expect(textOf(chat), `expired after step ${at}`).toBe(TRUTH)
        expect(chat.getSnapshot().messages.at(-1)?.status, `expired after step ${at}`).toBe('complete')
        expect(runtime.jobs.size).toBe(1)
        arcp.close()
      }
  })
})

describe('a session that is cut', () => {
  it('is resumed with a token that changes, which is nowhere to be seen', async () => {
    arcp = (newClient(), arcp)
    const handle = arcp.invoke('search')
    await settle()
    job().say('one ')
    await settle()
    for (const [count, word] of ['two ', 'three'].entries()) {
      runtime.cut()
      job().say(word, count === 0)
      await pass(20_000)
    }
    const hellos = runtime.of('session.hello').map(({ payload }) => payload.resume)
    expect(hellos).toEqual([
      undefined,
      { session_id: expect.any(String), resume_token: 'resume-token-1', last_event_seq: 1 },
      { session_id: expect.any(String), resume_token: 'resume-token-2', last_event_seq: 2 },
    ])
    job().end({ result_id: 'res_1' })
    await settle()
    expect(await handle.result).toEqual({ value: 'one two three' })
    expect(JSON.stringify([heard, arcp.getState().session, arcp.getState().logs])).not.toContain('resume-token')
    expect(runtime.of('job.subscribe')).toEqual([])
  })

  it('and of which nobody knows any more fails its jobs with the reason', async () => {
    newClient()
    const handle = arcp.invoke('search')
    await settle()
    const { id } = job()
    runtime.forget()
    await pass(20_000)
    await expect(handle.result).rejects.toMatchObject({
      code: 'not_found',
      agentCode: 'JOB_NOT_FOUND',
      severity: 'FATAL',
    })
    expect(arcp.getState().jobs.get(id)).toMatchObject({ state: 'failed', error: { code: 'JOB_NOT_FOUND' } })
    const next = arcp.invoke('search')
    await settle()
    job().end({ result: 1 })
    await settle()
    expect(await next.result).toEqual({ value: 1 })
  })

  it('asks what became of a job that says nothing since', async () => {
    newClient()
    const handle = arcp.invoke('search')
    await settle()
    job().say('one', false)
    await settle()
    runtime.cut()
    // What it says at its end is dropped.
    runtime.left.add(3)
    runtime.keepsLost = false
    job().end({ result_id: 'res_1' })
    await pass(60_000)
    expect(runtime.of('session.list_jobs').length).toBeGreaterThan(0)
    expect(await handle.result).toEqual({ value: 'one' })
  })
})

describe('a job that says very much', () => {
  it('is read on after a cut, and not from its beginning any more', async () => {
    const client = newClient()
    const handle = arcp.invoke('search')
    await settle()
    for (let count = 0; count < 12_000; count += 1) job().emit('metric', { name: 'rows', value: 1 })
    await settle()
    runtime.cut()
    job().emit('metric', { name: 'rows', value: 1 })
    await pass(20_000)
    expect([...arcp.getState().metrics.values()]).toMatchObject([{ name: 'rows', sum: 12_001, count: 12_001 }])
    const again = { invoke: 'x', sessionId: `job:${job().id}`, jobs: [job().id] }
    const { events, endings } = await openRunPage(
      client,
      { ...createResumePoint(), handle: again, restored: true },
      'r2',
    )
    await settle()
    job().end({ result: 1 })
    await settle()
    expect(await handle.result).toEqual({ value: 1 })
    expect(endings).toMatchObject([{ type: 'finished' }])
    const notices = events.flatMap((event) =>
      event.type === 'part' && event.part.type === 'notice' ? [event.part.message] : [],
    )
    expect(notices).toEqual([expect.stringContaining('said more than is kept')])
  })
})

describe('events that are missing', () => {
  it('are asked for by a resume, and nothing is shown out of order', async () => {
    newClient()
    const handle = arcp.invoke('search')
    await settle()
    runtime.left.add(3)
    job().say('one ')
    job().say('two ')
    job().say('three', false)
    await settle()
    await pass(20_000)
    job().end({ result_id: 'res_1' })
    await settle()
    expect(await handle.result).toEqual({ value: 'one two three' })
    expect(runtime.of('session.hello')).toHaveLength(2)
  })

  it('for good are reported, and later ones are not joined to earlier ones', async () => {
    newClient()
    const handle = arcp.invoke('search')
    await settle()
    runtime.left.add(3)
    runtime.keepsLost = false
    job().say('one ')
    job().say('two ')
    job().say('three', false)
    await pass(60_000)
    job().end({ result_id: 'res_1' })
    await settle()
    expect(await handle.result).toEqual({ value: undefined })
    const { logs, id } = arcp.getState().jobs.get(job().id) ?? { logs: [], id: '' }
    expect(logs.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn'])
    expect(arcp.getState().streams.get(`${id}/res_1`)).toMatchObject({ missingAfter: 0 })
    expect(runtime.of('session.hello')).toHaveLength(2)
  })
})

describe('a run of another page', () => {
  async function open(client: ReturnType<typeof newClient>, resumePoint: ResumePoint): Promise<RunPage> {
    const page = await openRunPage(client, resumePoint)
    await settle()
    return page
  }

  it('is read on by a subscription, over any number of pages, also where the runtime keeps only the last events', async () => {
    for (const kept of [Infinity, 4]) {
      start({ historyKept: kept })
      const page = await open(newClient(), createResumePoint())
      const pages = [page]
      for (const step of STEPS) {
        arcp.close()
        step(job())
        const before = pages.at(-1) ?? page
        pages.push(await open(newClient(), storedPoint(before)))
      }
      expect(pages.map(saidOn).join(''), `kept ${kept}`).toBe(TRUTH)
      expect(pages.at(-1)?.endings).toMatchObject([{ type: 'finished' }])
      expect(runtime.jobs.size).toBe(1)
      expect(JSON.stringify(pages.map(({ resumePoint }) => resumePoint))).not.toMatch(/resume-token|token-of/)
    }
  })

  it('that was not accepted yet finds its job', async () => {
    const first = await open(newClient(), createResumePoint())
    const [invoke] = Object.values(first.resumePoint.handle as Record<string, string>)
    arcp.close()
    job().say('one')
    const second = await open(newClient(), { ...storedPoint(first), handle: { invoke } })
    job().say(' two', false)
    await settle()
    expect(saidOn(second)).toBe('one two')
    expect(runtime.jobs.size).toBe(1)
  })

  it('whose job is not known any more fails with the reason', async () => {
    const first = await open(newClient(), createResumePoint())
    runtime.forget()
    arcp.close()
    const second = await open(newClient(), storedPoint(first))
    await pass(20_000)
    expect(second.endings).toMatchObject([{ type: 'failed', error: { agentCode: 'JOB_NOT_FOUND' } }])
  })

  it('that was left on this page is read on from what is remembered', async () => {
    const client = newClient()
    const first = await open(client, createResumePoint())
    job().say('one ')
    await settle()
    first.session.disconnect()
    job().say('two ')
    await settle()
    const second = await open(client, storedPoint(first))
    job().say('three', false)
    job().end({ result_id: 'res_1' })
    await settle()
    expect([saidOn(first), saidOn(second)]).toEqual(['one ', 'two three'])
    expect(second.endings).toMatchObject([{ type: 'finished' }])
    expect(runtime.of('job.subscribe')).toEqual([])
  })
})
