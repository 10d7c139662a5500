import { describe, expect, it } from 'vitest'
import { createAgentHandler, type AgentHandlerOptions } from '../../../src/server/handler/agent-handler.ts'
import { close, onStream } from '../../../src/server/run/agent-output.ts'
import type { Agent, AgentRun } from '../../../src/server/run/agent.ts'
import type { AnyResult } from '../../../src/server/run/ask.ts'
import type { StreamPacket } from '../../../src/protocols/cap/schema/packet.ts'
import { openPromptSchema, settledPromptSchema } from '../../../src/protocols/cap/presentation/prompt-schema.ts'
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts'
import { eventsOf, nextEvent, outline, pageOf, type Page, type PromptPacket } from '../control-peer.ts'
import { collect, packetsOf } from '../peer.ts'
import { createGate } from '../serve-agent.ts'

const SUBJECT = { name: 'send_email', input: { to: 'ann@rivers.example', body: 'Hello' } }

interface Asked extends Page {
  readonly clock: ManualClock
  readonly errors: unknown[]
  readonly prompt: PromptPacket
  /** What `run.ask` gave, or threw. */
  readonly results: AnyResult[]
  readonly thrown: unknown[]
  /** The packets after the prompt. */
  rest(): Promise<StreamPacket[]>
  /** Consent to what the prompt shows. */
  readonly allow: { readonly type: string; readonly option_id: string; readonly digest: string | undefined }
}

/** Lets an agent ask something, and reads up to the prompt. */
async function ask(
  asking: (run: AgentRun) => Promise<AnyResult>,
  options: Partial<AgentHandlerOptions> = {},
): Promise<Asked> {
  const results: AnyResult[] = []
  const thrown: unknown[] = []
  const opened = open(async function* (_request, run) {
    try {
      results.push(await asking(run))
    } catch (error) {
      thrown.push(error)
    }
    yield 'Done.'
  }, options)
  const packets = packetsOf(await opened.assist())
  const prompt = await nextEvent(packets, 'PROMPT')
  return {
    ...opened,
    prompt,
    results,
    thrown,
    rest: () => collect({ [Symbol.asyncIterator]: () => packets }),
    allow: { type: 'option', option_id: 'allow-once', digest: prompt.data.subject?.digest },
  }
}

function open(
  agent: Agent,
  options: Partial<AgentHandlerOptions> = {},
): Page & { readonly clock: ManualClock; readonly errors: unknown[] } {
  const clock = createManualClock()
  const errors: unknown[] = []
  const handler = createAgentHandler({ agent, clock, onError: (error) => errors.push(error), ...options })
  return { ...pageOf(handler), clock, errors }
}

const approval = (run: AgentRun): Promise<AnyResult> =>
  run.ask({ kind: 'approval', message: 'Send this mail?', subject: SUBJECT })

const settledAs = (state: string, more: object = {}) => ({
  status: 409,
  body: { code: 'prompt_settled', details: { state, ...more } },
})
const invalid = (...errors: object[]) => ({ status: 422, body: { code: 'invalid_answer', details: { errors } } })

describe('an approval', () => {
  it('is an event that shows what is to be done, with a digest of it and the usual options', async () => {
    const { prompt } = await ask(approval)
    expect(openPromptSchema.safeParse(prompt.data).success).toBe(true)
    expect(prompt.id).toMatch(/^[0-9a-f-]{36}$/)
    // SHA-256 of {"input":{"body":"Hello","to":"ann@rivers.example"},"name":"send_email"}
    const text = '{"input":{"body":"Hello","to":"ann@rivers.example"},"name":"send_email"}'
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex')
    expect(prompt.data).toEqual({
      state: 'open',
      kind: 'approval',
      message: 'Send this mail?',
      subject: { ...SUBJECT, digest },
      options: [
        { id: 'allow-once', label: 'Allow', kind: 'allow-once' },
        { id: 'reject-once', label: 'Deny', kind: 'reject-once' },
      ],
    })
  })

  it('is logged in the order of the calls, however long its digest takes', async () => {
    const form = (message: string) => ({ kind: 'form', message, schema: { type: 'object' } }) as const
    const read = createGate()
    const { assist } = open(async function* (_request, run) {
      void run.ask({ kind: 'approval', message: 'first', subject: { ...SUBJECT, input: 'x'.repeat(100_000) } })
      void run.ask(form('second'))
      // A mistake of the agent, which keeps the others waiting no longer than it takes to notice.
      void run.ask({ kind: 'sign-in', message: 'third', url: 'no address' })
      void run.ask(form('fourth'))
      await read.opened
      yield 'Asked.'
    })
    const packets = packetsOf(await assist())
    const messages: string[] = []
    for (let at = 0; at < 3; at += 1) messages.push(String((await nextEvent(packets, 'PROMPT')).data.message))
    read.open()
    expect(messages).toEqual(['first', 'second', 'fourth'])
  })

  it('has another digest for another input, name or schema, and the same whatever the order of keys', async () => {
    const digestOf = async (subject: { name: string; input: unknown; editable?: object }) => {
      const { prompt } = await ask((run) =>
        run.ask({ kind: 'approval', message: 'Go?', subject: { ...subject, editable: subject.editable as never } }),
      )
      return prompt.data.subject?.digest
    }
    const digests = [
      await digestOf({ name: 'a', input: { x: 1, y: [{ p: 1, q: 2 }] } }),
      await digestOf({ name: 'a', input: { y: [{ q: 2, p: 1 }], x: 1 } }),
      await digestOf({ name: 'a', input: { x: 2, y: [{ p: 1, q: 2 }] } }),
      await digestOf({ name: 'b', input: { x: 1, y: [{ p: 1, q: 2 }] } }),
      await digestOf({ name: 'a', input: { x: 1, y: [{ p: 1, q: 2 }] }, editable: { type: 'object' } }),
    ]
    expect(digests[0]).toBe(digests[1])
    expect(new Set(digests).size).toBe(4)
  })

  it('resolves with the input that was allowed, after the log has the answer', async () => {
    const asked = await ask(approval)
    expect(await asked.answer(asked.prompt.id, asked.allow)).toMatchObject({
      status: 200,
      body: { result: 'accepted' },
    })
    const rest = await asked.rest()
    expect(outline(rest)).toEqual(['PROMPT answered', 'DELTA Done.', 'CLOSE finished'])
    const [settled] = eventsOf(rest, 'PROMPT')
    expect(settledPromptSchema.safeParse(settled?.data).success).toBe(true)
    expect(settled).toMatchObject({ id: asked.prompt.id, data: { answer_id: 'answer-1', answer: asked.allow } })
    expect(asked.results).toEqual([
      {
        type: 'allowed',
        option: { id: 'allow-once', label: 'Allow', kind: 'allow-once' },
        input: SUBJECT.input,
        edited: false,
      },
    ])
  })

  it('gives what was shown, also when the agent has changed its own object since', async () => {
    const input = { to: 'ann@rivers.example' }
    const asked = await ask(async (run) => {
      const result = run.ask({ kind: 'approval', message: 'Send?', subject: { name: 'send', input } })
      await Promise.resolve()
      input.to = 'eve@rivers.example'
      return result
    })
    await asked.answer(asked.prompt.id, asked.allow)
    await asked.rest()
    expect(asked.prompt.data.subject).toMatchObject({ input: { to: 'ann@rivers.example' } })
    expect(asked.results).toMatchObject([{ type: 'allowed', input: { to: 'ann@rivers.example' } }])
  })

  it('allows nothing by an unknown option, another digest or none, and stays open', async () => {
    const asked = await ask(approval)
    const { allow } = asked
    for (const answer of [
      { ...allow, option_id: 'allow-always' },
      { ...allow, digest: '0'.repeat(64) },
      { type: 'option', option_id: 'allow-once' },
      { type: 'value', value: true },
      { type: 'done' },
      { ...allow, edits: { to: 'eve@rivers.example' } },
    ])
      expect(await asked.answer(asked.prompt.id, answer), JSON.stringify(answer)).toMatchObject({
        status: 422,
        body: { code: 'invalid_answer' },
      })
    expect(asked.results).toEqual([])
    expect((await asked.answer(asked.prompt.id, allow)).status).toBe(200)
    await asked.rest()
    expect(asked.results).toMatchObject([{ type: 'allowed' }])
  })

  it('is refused by every option that does not allow', async () => {
    const options = [
      { id: 'no', label: 'Never', kind: 'reject-always' as const },
      { id: 'later', label: 'Later', kind: 'neutral' as const },
    ]
    for (const option of options) {
      const asked = await ask((run) =>
        run.ask({ kind: 'permission', message: 'May I?', subject: { name: 'read', input: null }, options }),
      )
      await asked.answer(asked.prompt.id, { ...asked.allow, option_id: option.id })
      await asked.rest()
      expect(asked.results).toEqual([{ type: 'refused', option }])
    }
  })

  it('is declined or cancelled without an option, and says so in the log', async () => {
    for (const [answer, state, result] of [
      [{ type: 'decline', reason: 'Too early' }, 'declined', { type: 'declined', reason: 'Too early' }],
      [{ type: 'cancel' }, 'cancelled', { type: 'cancelled' }],
    ] as const) {
      const asked = await ask(approval)
      expect((await asked.answer(asked.prompt.id, answer)).status).toBe(200)
      expect(outline(await asked.rest())[0]).toBe(`PROMPT ${state}`)
      expect(asked.results).toMatchObject([result])
    }
  })

  it('tells what an option grants, and for how long', async () => {
    const always = { id: 'always', label: 'Always', kind: 'allow-always' as const, grants: 'All mail', ttlMs: 60_000 }
    const asked = await ask((run) =>
      run.ask({ kind: 'permission', message: 'May I?', subject: SUBJECT, options: [always] }),
    )
    expect(asked.prompt.data['options']).toEqual([
      { id: 'always', label: 'Always', kind: 'allow-always', grants: 'All mail', ttl_ms: 60_000 },
    ])
    await asked.answer(asked.prompt.id, { ...asked.allow, option_id: 'always' })
    await asked.rest()
    expect(asked.results).toMatchObject([{ type: 'allowed', option: always }])
  })
})

describe('an answer that is sent again', () => {
  it('is accepted as often as it comes, and taken once', async () => {
    const asked = await ask(approval)
    const sent = await Promise.all([1, 2, 3].map(() => asked.answer(asked.prompt.id, asked.allow)))
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
    const rest = await asked.rest()
    expect(eventsOf(rest, 'PROMPT')).toHaveLength(1)
    expect(asked.results).toHaveLength(1)
    // The run has ended, and its log knows the answer.
    expect((await asked.answer(asked.prompt.id, asked.allow)).status).toBe(200)
  })

  it('is refused when another one was faster, which the refusal names', async () => {
    const asked = await ask(approval)
    const answers = ['first', 'second']
    const sent = await Promise.all(answers.map((answerId) => asked.answer(asked.prompt.id, asked.allow, { answerId })))
    const taken = answers[sent.findIndex(({ status }) => status === 200)]
    expect(sent.find(({ status }) => status !== 200)).toMatchObject(settledAs('answered', { answer_id: taken }))
    await asked.rest()
    expect(await asked.answer(asked.prompt.id, asked.allow, { answerId: 'third' })).toMatchObject(
      settledAs('answered', { answer_id: taken }),
    )
    expect(asked.results).toMatchObject([{ type: 'allowed' }])
  })

  it('is refused for a prompt that the run does not have', async () => {
    const asked = await ask(approval)
    const unknown = { status: 409, body: { code: 'prompt_not_found' } }
    expect(await asked.answer(crypto.randomUUID(), asked.allow)).toMatchObject(unknown)
    await asked.cancel()
    expect(await asked.answer(crypto.randomUUID(), asked.allow)).toMatchObject(unknown)
  })
})

describe('an input that may be changed', () => {
  const editable = {
    type: 'object',
    properties: { body: { type: 'string', minLength: 1, maxLength: 20 } },
    additionalProperties: false,
  }
  const asks = (run: AgentRun): Promise<AnyResult> =>
    run.ask({ kind: 'approval', message: 'Send?', subject: { ...SUBJECT, editable } })

  it('is allowed as the user changed it, the rest as it was', async () => {
    for (const edits of [{ to: SUBJECT.input.to, body: 'Good morning' }, { body: 'Good morning' }]) {
      const asked = await ask(asks)
      expect((await asked.answer(asked.prompt.id, { ...asked.allow, edits })).status).toBe(200)
      const [settled] = eventsOf(await asked.rest(), 'PROMPT')
      expect(settled?.data['answer']).toMatchObject({ edits })
      expect(asked.results).toMatchObject([
        { type: 'allowed', edited: true, input: { to: SUBJECT.input.to, body: 'Good morning' } },
      ])
    }
  })

  it('is refused with the place of what is wrong, and stays open', async () => {
    const asked = await ask(asks)
    const sent = (edits: unknown) => asked.answer(asked.prompt.id, { ...asked.allow, edits })
    expect(await sent({ body: '' })).toMatchObject(invalid({ path: '/body' }))
    expect(await sent({ body: 7 })).toMatchObject(invalid({ path: '/body', message: 'Must be string.' }))
    expect(await sent({ to: 'eve@rivers.example', body: 'Hi' })).toMatchObject(invalid({ path: '/to' }))
    expect(await sent({ body: 'Hi', bcc: 'eve@rivers.example' })).toMatchObject(invalid({ path: '/bcc' }))
    expect(await sent('Hi')).toMatchObject(invalid({ path: '' }))
    expect((await sent({ body: 'Hi' })).status).toBe(200)
  })

  it('is checked by the app where it gives a function or a schema, which may give another value', async () => {
    const asked = await ask((run) =>
      run.ask({
        kind: 'approval',
        message: 'Send?',
        subject: { ...SUBJECT, editable },
        validate: (value) =>
          (value as { body: string }).body.includes('!') ? [{ path: '/body', message: 'Calm down.' }] : [],
      }),
    )
    expect(await asked.answer(asked.prompt.id, { ...asked.allow, edits: { body: 'Hi!' } })).toMatchObject(
      invalid({ path: '/body', message: 'Calm down.' }),
    )
    expect((await asked.answer(asked.prompt.id, { ...asked.allow, edits: { body: 'Hi' } })).status).toBe(200)
  })
})

describe('a choice, a form and a sign-in', () => {
  it('resolves with the option that was chosen', async () => {
    const options = ['red', 'blue'].map((id) => ({ id, label: id, kind: 'neutral' as const }))
    const asked = await ask((run) => run.ask({ kind: 'choice', message: 'Which?', options }))
    expect(await asked.answer(asked.prompt.id, { type: 'option', option_id: 'green' })).toMatchObject(
      invalid({ path: '' }),
    )
    expect((await asked.answer(asked.prompt.id, { type: 'option', option_id: 'blue' })).status).toBe(200)
    await asked.rest()
    expect(asked.results).toEqual([{ type: 'chosen', option: options[1], byDefault: false }])
  })

  it('resolves with values that fit, and tells field by field what does not', async () => {
    const schema = {
      type: 'object',
      properties: { nights: { type: 'integer', minimum: 1 }, 'a/b~c': { type: 'string' } },
      required: ['nights'],
    }
    const asked = await ask((run) =>
      run.ask({ kind: 'form', message: 'How long?', schema, initial: { nights: 2 }, group: 'trip' }),
    )
    expect(asked.prompt.data).toMatchObject({ schema, initial: { nights: 2 }, group: 'trip' })
    const sent = (value: unknown, answerId?: string) =>
      asked.answer(asked.prompt.id, { type: 'value', value }, answerId === undefined ? {} : { answerId })
    expect(await sent({ nights: 0.5 })).toMatchObject(invalid({ path: '/nights' }, { path: '/nights' }))
    expect(await sent({ 'a/b~c': 1 })).toMatchObject(
      invalid({ path: '/a~1b~0c' }, { path: '/nights', message: 'Is needed.' }),
    )
    expect((await sent({ nights: 3 })).status).toBe(200)
    await asked.rest()
    expect(asked.results).toEqual([{ type: 'value', value: { nights: 3 }, byDefault: false }])
  })

  it('asks a Standard Schema, takes its value, and turns its issues into pointers', async () => {
    const validate = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: async (value: unknown) =>
          value === 'ok'
            ? { value: 42 }
            : { issues: [{ message: 'No.', path: ['rows', { key: 0 }, 'a/b'] }, { message: 'Nothing.' }] },
      },
    }
    const asked = await ask((run) => run.ask({ kind: 'form', message: 'Say ok', schema: { anyOf: [] }, validate }))
    expect(await asked.answer(asked.prompt.id, { type: 'value', value: 'no' })).toMatchObject(
      invalid({ path: '/rows/0/a~1b', message: 'No.' }, { path: '', message: 'Nothing.' }),
    )
    expect((await asked.answer(asked.prompt.id, { type: 'value', value: 'ok' })).status).toBe(200)
    await asked.rest()
    expect(asked.results).toEqual([{ type: 'value', value: 42, byDefault: false }])
  })

  it('answers 500 when the validator of the app throws, keeps the prompt open and tells the operator', async () => {
    let broken = true
    const asked = await ask((run) =>
      run.ask({
        kind: 'form',
        message: 'Go on',
        schema: {},
        validate: () => {
          if (broken) throw new Error('database is away')
          return undefined
        },
      }),
    )
    const failed = await asked.answer(asked.prompt.id, { type: 'value', value: 1 })
    expect(failed).toMatchObject({ status: 500, body: { code: 'internal_error' } })
    expect(JSON.stringify(failed.body)).not.toContain('database')
    expect(asked.errors).toMatchObject([{ message: 'database is away' }])
    broken = false
    expect((await asked.answer(asked.prompt.id, { type: 'value', value: 1 })).status).toBe(200)
  })

  it('resolves once the user says that they have signed in', async () => {
    const asked = await ask((run) => run.ask({ kind: 'sign-in', message: 'Sign in', url: 'https://id.example/login' }))
    expect(asked.prompt.data).toMatchObject({ url: 'https://id.example/login' })
    expect((await asked.answer(asked.prompt.id, { type: 'done' })).status).toBe(200)
    await asked.rest()
    expect(asked.results).toEqual([{ type: 'signed-in' }])
  })
})

describe('a prompt that expires', () => {
  const expiring = (run: AgentRun): Promise<AnyResult> =>
    run.ask({ kind: 'approval', message: 'Send?', subject: SUBJECT, expiresInMs: 5000 })

  it('says when, and expires on the clock of the server: nothing is allowed any more', async () => {
    const asked = await ask(expiring)
    expect(asked.prompt.data).toMatchObject({ expires_at: '2026-03-01T08:15:05.000Z', on_expiry: 'cancel' })
    await asked.clock.advance(4999)
    expect(asked.results).toEqual([])
    await asked.clock.advance(1)
    expect(await asked.answer(asked.prompt.id, asked.allow)).toMatchObject({
      status: 410,
      body: { code: 'prompt_expired', details: { state: 'expired' } },
    })
    expect(outline(await asked.rest())).toEqual(['PROMPT expired', 'DELTA Done.', 'CLOSE finished'])
    expect(asked.results).toEqual([{ type: 'expired' }])
    expect((await asked.answer(asked.prompt.id, asked.allow)).status).toBe(410)
  })

  it('has expired by the time even if its timer is late', async () => {
    const clock = createManualClock()
    const late = { ...clock, after: () => () => true }
    const asked = await ask(expiring, { clock: late })
    await clock.advance(5000)
    expect((await asked.answer(asked.prompt.id, asked.allow)).status).toBe(410)
    await asked.rest()
    expect(asked.results).toEqual([{ type: 'expired' }])
  })

  it('does not expire by a wall clock that is set', async () => {
    const asked = await ask(expiring)
    asked.clock.sleep(86_400_000)
    expect((await asked.answer(asked.prompt.id, asked.allow)).status).toBe(200)
  })

  it('expires while the app checks an answer', async () => {
    const gate = createGate()
    const asked = await ask((run) =>
      run.ask({
        kind: 'form',
        message: 'Slow',
        schema: {},
        expiresInMs: 1000,
        validate: async () => {
          await gate.opened
          return undefined
        },
      }),
    )
    const sent = asked.answer(asked.prompt.id, { type: 'value', value: 1 })
    await asked.clock.advance(1000)
    gate.open()
    expect((await sent).status).toBe(410)
    await asked.rest()
    expect(asked.results).toEqual([{ type: 'expired' }])
  })

  it('takes its default, and says so in the log', async () => {
    const options = ['red', 'blue'].map((id) => ({ id, label: id, kind: 'neutral' as const }))
    const choice = await ask((run) =>
      run.ask({ kind: 'choice', message: 'Which?', options, expiresInMs: 1000, default: 'blue' }),
    )
    expect(choice.prompt.data).toMatchObject({ on_expiry: 'default' })
    await choice.clock.advance(1000)
    expect(eventsOf(await choice.rest(), 'PROMPT')[0]?.data).toMatchObject({
      state: 'expired',
      answer: { type: 'option', option_id: 'blue' },
    })
    expect(choice.results).toEqual([{ type: 'chosen', option: options[1], byDefault: true }])
    const form = await ask((run) =>
      run.ask({ kind: 'form', message: 'How long?', schema: { type: 'integer' }, expiresInMs: 1000, default: 2 }),
    )
    await form.clock.advance(1000)
    await form.rest()
    expect(form.results).toEqual([{ type: 'value', value: 2, byDefault: true }])
  })

  it('may wait longer than the timers of a platform can', async () => {
    const month = 40 * 86_400_000
    const asked = await ask((run) =>
      run.ask({ kind: 'approval', message: 'Send?', subject: SUBJECT, expiresInMs: month }),
    )
    await asked.clock.advance(month - 1)
    expect(asked.results).toEqual([])
    await asked.clock.advance(1)
    expect(asked.results).toEqual([{ type: 'expired' }])
  })
})

describe('a prompt whose run or stream ends', () => {
  /** Asks without waiting for the answer, and continues when the prompt was seen. */
  const askAndGoOn = async (then: () => AsyncGenerator<string>) => {
    const seen = createGate()
    const asked = open(async function* (_request, run) {
      void run.ask({ kind: 'approval', message: 'Never mind', subject: SUBJECT, expiresInMs: 9000 })
      await seen.opened
      yield* then()
    })
    const packets = packetsOf(await asked.assist())
    await nextEvent(packets, 'PROMPT')
    seen.open()
    return { ...asked, rest: outline(await collect({ [Symbol.asyncIterator]: () => packets })) }
  }

  it('is withdrawn before CLOSE when the agent does not wait for it', async () => {
    const asked = await askAndGoOn(async function* () {
      yield 'Done.'
    })
    expect(asked.rest).toEqual(['DELTA Done.', 'PROMPT withdrawn', 'CLOSE finished'])
    expect(asked.errors).toEqual([])
    expect(asked.clock.pending).toBe(0)
  })

  it('is withdrawn before FATAL when the agent fails, after which a client reads nothing', async () => {
    const asked = await askAndGoOn(async function* () {
      yield 'Oh.'
      throw new Error('broken')
    })
    expect(asked.rest).toEqual(['DELTA Oh.', 'PROMPT withdrawn', 'ERROR internal_error', 'CLOSE failed'])
    expect(asked.clock.pending).toBe(0)
  })

  it('is withdrawn with its own stream and no other, and its ask rejects', async () => {
    const thrown: unknown[] = []
    const seen = createGate()
    const asked = open(async function* (_request, run) {
      const side = run.ask({ kind: 'approval', message: 'Beside', subject: SUBJECT, stream: 'side' })
      const main = run.ask({ kind: 'approval', message: 'Here', subject: SUBJECT })
      await seen.opened
      yield onStream('side', close('enough'))
      await side.catch((error: unknown) => thrown.push(error))
      yield (await main).type
    })
    const packets = packetsOf(await asked.assist())
    const prompts = [await nextEvent(packets, 'PROMPT'), await nextEvent(packets, 'PROMPT')]
    seen.open()
    const main = prompts.find(({ data }) => data['message'] === 'Here')
    expect((await nextEvent(packets, 'PROMPT')).data).toMatchObject({ state: 'withdrawn', message: 'Beside' })
    await asked.answer(main?.id, { type: 'option', option_id: 'allow-once', digest: main?.data.subject?.digest })
    expect(outline(await collect({ [Symbol.asyncIterator]: () => packets }))).toContain('DELTA allowed')
    expect(thrown).toMatchObject([{ code: 'app_error' }])
  })
})

describe('what makes no prompt', () => {
  const wrong: readonly [string, (run: AgentRun) => Promise<unknown>][] = [
    ['no message', (run) => run.ask({ kind: 'approval', subject: SUBJECT } as never)],
    ['an unknown kind', (run) => run.ask({ kind: 'guess', message: 'What?' } as never)],
    ['no subject', (run) => run.ask({ kind: 'approval', message: 'Go?' } as never)],
    ['no options', (run) => run.ask({ kind: 'choice', message: 'Which?', options: [] })],
    ['no schema', (run) => run.ask({ kind: 'form', message: 'What?' } as never)],
    ['a sign-in at no address', (run) => run.ask({ kind: 'sign-in', message: 'Who?', url: 'sign-in' })],
    ['a sign-in that runs code', (run) => run.ask({ kind: 'sign-in', message: 'Who?', url: 'javascript:go()' })],
    ['a schema that is not checked', (run) => run.ask({ kind: 'form', message: 'What?', schema: { oneOf: [] } })],
    ['a pattern that is none', (run) => run.ask({ kind: 'form', message: 'What?', schema: { pattern: '(' } })],
    [
      'an input that is no JSON',
      (run) => run.ask({ kind: 'approval', message: 'Go?', subject: { name: 'x', input: 1n } }),
    ],
    ['a time that is none', (run) => run.ask({ kind: 'approval', message: 'Go?', subject: SUBJECT, expiresInMs: -1 })],
    [
      'a default that is no answer',
      (run) => run.ask({ kind: 'form', message: 'What?', schema: { type: 'string' }, expiresInMs: 5, default: 7 }),
    ],
    [
      'two options of one id',
      (run) =>
        run.ask({
          kind: 'choice',
          message: 'Which?',
          options: [1, 2].map((label) => ({ id: 'same', label: String(label), kind: 'neutral' as const })),
        }),
    ],
  ]

  it.each(wrong)('is refused with a sentence for the developer: %s', async (_name, asking) => {
    const thrown: unknown[] = []
    const asked = open(async function* (_request, run) {
      await asking(run).catch((error: unknown) => thrown.push(error))
      yield 'Done.'
    })
    expect(outline(await collect(packetsOf(await asked.assist())))).toEqual(['DELTA Done.', 'CLOSE finished'])
    expect(thrown).toMatchObject([{ code: 'app_error', message: expect.stringContaining('run.ask') }])
  })
})
