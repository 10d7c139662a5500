import { expect, it, onTestFinished } from 'vitest'
import { createAgentHandler } from '../../../../src/server/handler/agent-handler.ts'
import type { Agent, AnyResult } from '../../../../src/server/run/agent.ts'
import {
  redisEventLog,
  type RedisEventLog,
  type RedisEventLogOptions,
} from '../../../../src/server/event-log/redis/redis-event-log.ts'
import { nextEvent, outline, pageOf, type Page } from '../../control-peer.ts'
import { create } from '../../event-log-contract.ts'
import { collect, packetsOf } from '../../peer.ts'
import { createGate } from '../../serve-agent.ts'
import { connect, describeWithRedis, startRedis, type RedisServer, type TestClient } from '../../redis-server.ts'

let server: RedisServer | undefined

interface Process {
  readonly page: Page
  readonly log: RedisEventLog
  readonly client: TestClient
  /** As a process that dies: no beat, no reply, nothing written. */
  crash(): void
}

interface RunOptions {
  readonly onExpired?: 'restart'
  readonly cancelTimeoutMs?: number
}

async function open(
  prefix: string,
  agent: Agent,
  { onExpired, cancelTimeoutMs, ...options }: Partial<RedisEventLogOptions> & RunOptions = {},
): Promise<Process> {
  server ??= await startRedis()
  const client = await connect(server.url)
  const log = redisEventLog({ client, prefix, leaseMs: 900, commandTimeoutMs: 1000, ...options })
  onTestFinished(() => log.close())
  return {
    page: pageOf(createAgentHandler({ agent, log, onExpired, cancelTimeoutMs, onError: () => {} })),
    log,
    client,
    crash() {
      log.close()
      client.destroy()
    },
  }
}

const nobody: Agent = async function* () {
  yield 'I run twice.'
}

/** Asks twice, and says what it was told and what the user said. */
function asking(results: AnyResult[]): Agent {
  return async function* (_request, run) {
    for (const input of ['one', 'two']) {
      const result = await run.ask({ kind: 'approval', message: `Do ${input}?`, subject: { name: 'do', input } })
      results.push(result)
      yield result.type
    }
    for await (const { text } of run.inbox) yield text
  }
}

const rest = (packets: AsyncGenerator<never> | ReturnType<typeof packetsOf>) =>
  collect({ [Symbol.asyncIterator]: () => packets })

describeWithRedis('a process that does not run the agent', () => {
  it('passes answers, words and the cancelling on, and acknowledges them when they are in the log', async () => {
    const results: AnyResult[] = []
    const [runs, other] = [await open('pass:', asking(results)), await open('pass:', nobody)]
    const packets = packetsOf(await other.page.assist())
    // Who is asked first runs the agent: the others follow.
    expect((await packets.next()).value).toMatchObject({ op: 'DELTA', p: 'I run twice.' })
    await rest(packets)
    const requestId = crypto.randomUUID()
    const own = packetsOf(await runs.page.assist({ requestId }))
    const first = await nextEvent(own, 'PROMPT')
    const allow = { type: 'option', option_id: 'allow-once', digest: first.data.subject?.digest }
    const sent = await Promise.all(
      [runs, other, other].map(({ page }) => page.answer(first.id, allow, { requestId, answerId: 'same' })),
    )
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await other.page.answer(first.id, allow, { requestId, answerId: 'other' })).toMatchObject({
      status: 409,
      body: { code: 'prompt_settled', details: { state: 'answered', answer_id: 'same' } },
    })
    expect((await nextEvent(own, 'PROMPT')).data).toMatchObject({ state: 'answered' })
    const second = await nextEvent(own, 'PROMPT')
    expect((await other.page.answer(second.id, { ...allow, digest: 'x' }, { requestId })).status).toBe(422)
    expect((await other.page.answer(second.id, { type: 'decline' }, { requestId })).status).toBe(200)
    expect((await other.page.say('Hello', { requestId })).status).toBe(200)
    expect((await nextEvent(own, 'SAID')).data).toMatchObject({ text: 'Hello' })
    expect((await other.page.cancel({ requestId })).status).toBe(200)
    expect((await other.page.cancel({ requestId })).status).toBe(200)
    const said = outline(await rest(own))
    expect(said.at(-1)).toBe('CLOSE cancelled')
    expect(results).toMatchObject([{ type: 'allowed', input: 'one' }, { type: 'declined' }])
    expect((await other.page.answer(first.id, allow, { requestId, answerId: 'same' })).status).toBe(200)
    expect(await other.page.say('late', { requestId })).toMatchObject({
      status: 409,
      body: { details: { ended: 'cancelled' } },
    })
    expect((await other.page.cancel({ requestId: crypto.randomUUID() })).status).toBe(404)
  })

  it('answers 503 while it is unknown whether the other lives; when the run was ended, open prompts are withdrawn and a cancel is unconfirmed', async () => {
    const results: AnyResult[] = []
    const [runs, other] = [await open('died:', asking(results)), await open('died:', nobody)]
    const first = await nextEvent(packetsOf(await runs.page.assist()), 'PROMPT')
    const allow = { type: 'option', option_id: 'allow-once', digest: first.data.subject?.digest }
    runs.crash()
    const sent = await other.page.answer(first.id, allow)
    expect(sent).toMatchObject({ status: 503, body: { code: 'run_unavailable' } })
    expect(sent.headers.get('retry-after')).toBe('1')
    const withdrawn = { status: 409, body: { code: 'prompt_settled', details: { state: 'withdrawn' } } }
    await expect.poll(() => other.page.answer(first.id, allow)).toMatchObject(withdrawn)
    expect(await other.page.cancel()).toMatchObject({ status: 504, body: { details: { ended: 'interrupted' } } })
    expect(outline(await rest(packetsOf(await other.page.assist()))).slice(-3)).toEqual([
      'PROMPT withdrawn',
      'ERROR run_interrupted',
      'CLOSE failed',
    ])
    expect(results).toEqual([])
  })

  it('confirms a cancel when the agent function of the other has returned, and not while it works', async () => {
    for (const isQuick of [true, false]) {
      const [action, aborted] = [createGate(), createGate()]
      const agent: Agent = async function* (_request, run) {
        run.signal.addEventListener('abort', aborted.open)
        yield 'one'
        await action.opened
      }
      // Long enough for the first, and at once for the second.
      const options = { cancelTimeoutMs: isQuick ? 60_000 : 1 }
      const prefix = isQuick ? 'quick:' : 'slow:'
      const [runs, other] = [await open(prefix, agent, options), await open(prefix, nobody)]
      const packets = packetsOf(await runs.page.assist())
      await packets.next()
      const cancelled = other.page.cancel()
      await aborted.opened
      if (isQuick) action.open()
      const unconfirmed = { status: 504, body: { code: 'cancel_unconfirmed' } }
      expect(await cancelled).toMatchObject(isQuick ? { status: 200, body: { result: 'accepted' } } : unconfirmed)
      expect(outline(await rest(packets)).at(-1)).toBe(isQuick ? 'CLOSE cancelled' : 'CLOSE unconfirmed')
      action.open()
      expect((await other.page.cancel()).status).toBe(isQuick ? 200 : 504)
    }
  })

  it('keeps an answer that was acknowledged before the other died', async () => {
    const [runs, other] = [await open('kept:', asking([])), await open('kept:', nobody)]
    const first = await nextEvent(packetsOf(await runs.page.assist()), 'PROMPT')
    const allow = { type: 'option', option_id: 'allow-once', digest: first.data.subject?.digest }
    expect((await other.page.answer(first.id, allow)).status).toBe(200)
    runs.crash()
    await expect.poll(() => other.page.say('x').then(({ status }) => status)).toBe(409)
    expect((await other.page.answer(first.id, allow)).status).toBe(200)
    expect((await other.page.answer(first.id, allow, { answerId: 'again' })).status).toBe(409)
  })

  it('says that the run was interrupted where it may begin again, and sends commands to the new run only', async () => {
    const options = { onExpired: 'restart' as const }
    const results: AnyResult[] = []
    const [runs, other] = [await open('again:', asking([]), options), await open('again:', asking(results), options)]
    const old = await nextEvent(packetsOf(await runs.page.assist()), 'PROMPT')
    runs.crash()
    const interrupted = { status: 504, body: { code: 'cancel_unconfirmed', details: { ended: 'interrupted' } } }
    await expect.poll(() => other.page.cancel()).toMatchObject(interrupted)
    const packets = packetsOf(await other.page.assist())
    const prompt = await nextEvent(packets, 'PROMPT')
    const allow = { type: 'option', option_id: 'allow-once', digest: prompt.data.subject?.digest }
    // The same question, but another prompt.
    expect(await other.page.answer(old.id, allow)).toMatchObject({ status: 409, body: { code: 'prompt_not_found' } })
    expect((await other.page.answer(prompt.id, allow)).status).toBe(200)
    expect((await other.page.cancel()).status).toBe(200)
    await rest(packets)
    expect(results).toMatchObject([{ type: 'allowed' }])
  })

  it('gets through when connections break meanwhile', async () => {
    const [runs, other] = [await open('breaks:', asking([])), await open('breaks:', nobody)]
    const packets = packetsOf(await runs.page.assist())
    const first = await nextEvent(packets, 'PROMPT')
    const killer = await connect(server?.url ?? '')
    const sent: number[] = []
    for (let time = 0; time < 10; time++) {
      const saying = other.page.say(`word ${time}`, { messageId: `id-${time}` })
      if (time % 3 === 1) await killer.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
      let { status } = await saying
      while (status === 503) ({ status } = await other.page.say(`word ${time}`, { messageId: `id-${time}` }))
      sent.push(status)
    }
    expect(new Set(sent)).toEqual(new Set([200]))
    expect((await runs.page.cancel()).status).toBe(200)
    const said = outline(await rest(packets)).filter((word) => word.startsWith('SAID'))
    expect(said).toEqual(Array.from({ length: 10 }, (_, time) => `SAID word ${time}`))
    expect(first.data).toMatchObject({ state: 'open' })
  })

  it('leaves nothing behind for ever', async () => {
    const [runs, other] = [await open('left:', nobody), await open('left:', nobody)]
    const { writer } = await create(runs.log, 'run')
    // Nobody takes from this mailbox.
    writer.onCommand?.(async () => new Promise(() => {}))
    expect((await other.log.command?.('run', { name: 'cancel' }))?.state).toBe('unavailable')
    runs.log.close()
    expect((await other.log.command?.('run', { name: 'cancel' }))?.state).toBe('unavailable')
    const keys = await other.client.keys('left:*')
    expect(keys.filter((key) => key.startsWith('left:mailbox:'))).toHaveLength(1)
    const ages = await Promise.all(keys.map((key) => other.client.pTTL(key)))
    expect(ages.filter((ms) => ms <= 0)).toEqual([])
  })
})
