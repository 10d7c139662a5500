import { describe, expect, it } from 'vitest'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import type { Agent, InboxMessage } from '../../../src/server/run/agent.ts'
import { close, onStream } from '../../../src/server/run/agent-output.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'
import { eventsOf, nextEvent, outline, pageOf, type Page } from '../control-peer.ts'
import { allPackets, packetsOf } from '../peer.ts'
import { createGate } from '../serve-agent.ts'

function open(agent: Agent, maxAnswerLength?: number): Page {
  return pageOf(createAgentHandler({ agent, clock: createManualClock(), maxAnswerLength, onError: () => {} }))
}

const FIRST = '0b7e7c52-6f0a-4d0e-9d6e-00000000000a'

describe('a word into a run', () => {
  it('is logged where it was said, under its own id, and heard once', async () => {
    const page = open(async function* (_request, run) {
      yield 'Rivers '
      for await (const { text } of run.inbox) {
        yield `you said ${text}`
        if (text === 'stop') return
      }
    })
    const response = await page.assist()
    await settle()
    for (let time = 0; time < 2; time++)
      expect(await page.say('deltas', { messageId: FIRST.toUpperCase() })).toMatchObject({ status: 200 })
    await settle()
    expect((await page.say('stop')).status).toBe(200)
    const packets = await allPackets(response)
    expect(outline(packets)).toEqual([
      'DELTA Rivers ',
      'SAID deltas',
      'DELTA you said deltas',
      'SAID stop',
      'DELTA you said stop',
      'CLOSE finished',
    ])
    expect(eventsOf(packets, 'SAID')[0]).toMatchObject({ id: FIRST, data: { text: 'deltas', message_id: FIRST } })
  })

  it('is refused when the run has ended, except one that was heard', async () => {
    const page = open(async function* (_request, run) {
      yield 'Ready. '
      for await (const _word of run.inbox) return
    })
    const response = await page.assist()
    await settle()
    expect((await page.say('now', { messageId: FIRST })).status).toBe(200)
    await response.text()
    expect(await page.say('late')).toMatchObject({
      status: 409,
      body: { code: 'run_over', details: { ended: 'finished' } },
    })
    expect((await page.say('now', { messageId: FIRST })).status).toBe(200)
  })

  it('goes onto a stream that is open when the main one is closed, and is refused when none is', async () => {
    const [first, second] = [createGate(), createGate()]
    const page = open(async function* () {
      yield onStream('side', 'beside')
      yield close('enough')
      await first.opened
      yield onStream('side', close('enough'))
      await second.opened
    })
    const response = await page.assist()
    await settle()
    expect((await page.say('still')).status).toBe(200)
    first.open()
    await settle()
    const late = page.say('late')
    second.open()
    expect(await late).toMatchObject({ status: 409, body: { code: 'run_over' } })
    expect(outline(await allPackets(response))).toEqual(['DELTA beside', 'CLOSE enough', 'SAID still', 'CLOSE enough'])
  })

  it('is refused when the log has no space for it, and the run continues', async () => {
    const gate = createGate()
    const page = open(async function* () {
      yield 'a'
      await gate.opened
      yield 'b'
    }, 2000)
    const response = await page.assist()
    await settle()
    expect(await page.say('x'.repeat(3000))).toMatchObject({ status: 413, body: { code: 'request_too_large' } })
    gate.open()
    expect(outline(await allPackets(response))).toEqual(['DELTA a', 'DELTA b', 'CLOSE finished'])
  })

  it('may not take the id of a prompt', async () => {
    const page = open(async function* (_request, run) {
      yield 'Ready. '
      await run.ask({ kind: 'sign-in', message: 'Sign in', url: 'https://id.example' })
    })
    const { id } = await nextEvent(packetsOf(await page.assist()), 'PROMPT')
    expect(await page.say('x', { messageId: id })).toMatchObject({
      status: 422,
      body: { details: { errors: [{ path: '/message_id' }] } },
    })
  })
})

describe('the inbox', () => {
  it('gives what has come so far without waiting, each word once', async () => {
    const taken: (readonly InboxMessage[])[] = []
    const gate = createGate()
    const page = open(async function* (_request, run) {
      yield 'Ready. '
      taken.push(run.inbox.take())
      await gate.opened
      taken.push(run.inbox.take(), run.inbox.take())
    })
    const response = await page.assist()
    await settle()
    await page.say('one', { messageId: FIRST })
    await page.say('two')
    gate.open()
    await response.text()
    expect(taken).toMatchObject([[], [{ messageId: FIRST, text: 'one' }, { text: 'two' }], []])
  })

  it('can be left and listened to again, and ends with the run', async () => {
    const heard: string[] = []
    let ended = false
    const page = open(async function* (_request, run) {
      yield 'Ready. '
      for await (const { text } of run.inbox) {
        heard.push(text)
        break
      }
      for await (const { text } of run.inbox) heard.push(text)
      ended = true
    })
    const response = await page.assist()
    await settle()
    for (const text of ['one', 'two', 'three']) await page.say(text)
    expect((await page.cancel()).status).toBe(200)
    await response.text()
    await settle()
    expect(heard).toEqual(['one', 'two', 'three'])
    expect(ended).toBe(true)
  })
})
