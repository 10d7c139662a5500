import { describe, expect, it } from 'vitest'
import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import type { Agent } from '../../../src/server/run/agent.ts'
import {
  close,
  event,
  fatal,
  onStream,
  transient,
  warning,
  type AgentOutput,
} from '../../../src/server/run/agent-output.ts'
import { allPackets, collect, post, textOf } from '../peer.ts'
import { serveAgent } from '../serve-agent.ts'

/** As written in JavaScript, where no type objects. */
const untyped = <Value>(value: unknown): Value => value as Value

const saying = (output: unknown): Agent =>
  async function* () {
    yield 'Before.'
    yield untyped<AgentOutput>(output)
    yield 'never heard'
  }

const OUTPUTS: readonly (readonly [what: string, output: unknown, reason: RegExp])[] = [
  ['a number', 5, /yielded or wrote a number/],
  ['nothing', undefined, /yielded or wrote undefined/],
  ['null', null, /yielded or wrote null/],
  ['a list', ['a'], /yielded or wrote a list/],
  ['an object of its own making', { content: 'Hi' }, /no "kind" it knows.*event\(\)/],
  ['text that is none', { kind: 'text', text: 5 }, /"text" must be a string, but is a number/],
  ['text of another stream that is none', onStream('side', untyped<AgentOutput>(5)), /no "kind" it knows/],
  ['a stream whose name is no text', onStream(untyped<string>(7), 'Hi'), /"stream" must be a string, but is a number/],
  ['an event without a name', event(untyped<string>(undefined), {}), /"type" must be a string, but is undefined/],
  [
    'an event whose data are text',
    event('NOTE', untyped<Record<string, unknown>>('text')),
    /"data" must be an object, but is a string/,
  ],
  [
    'an event whose data are a list',
    event('NOTE', untyped<Record<string, unknown>>([1])),
    /"data" must be an object, but is a list/,
  ],
  [
    'an event whose data become text',
    event('NOTE', untyped<Record<string, unknown>>(new Date(0))),
    /"data" must be an object, but is a string/,
  ],
  [
    'an event whose id is a number',
    event('NOTE', {}, untyped<{ id: string }>({ id: 7 })),
    /"id" must be a string, but is a number/,
  ],
  ['a warning with a numeric code', warning(untyped<string>(429), 'Slow down.'), /code must be a string/],
  ['a TRANSIENT error without a message', transient('slow', untyped<string>(undefined)), /message must be a string/],
  [
    'a FATAL error whose details are text',
    fatal('broken', 'Broken.', untyped<Record<string, unknown>>('why')),
    /details must be an object/,
  ],
  [
    'an error whose details become text',
    warning('old', 'Old.', untyped<Record<string, unknown>>(new Date(0))),
    /details must be an object/,
  ],
  [
    'an error of another severity',
    { kind: 'error', error: { code: 'a', message: 'b', severity: 'HIGH' } },
    /severity must be FATAL, TRANSIENT or WARNING/,
  ],
  [
    'an error with a key of its own',
    { kind: 'error', error: { code: 'a', message: 'b', severity: 'WARNING', hint: 'c' } },
    /and nothing else/,
  ],
  ['a close whose reason is a number', close(untyped<string>(5)), /"reason" must be a string, but is a number/],
]

const ENDINGS: readonly (readonly [what: string, ending: unknown, reason: RegExp])[] = [
  ['a number', 5, /returned a number/],
  ['true', true, /returned a boolean/],
  ['a list', [1], /returned a list/],
]

describe('what an agent says and no packet can carry', () => {
  it.each(OUTPUTS)(
    'ends the stream with internal_error when it is %s, and tells the developer why',
    async (_what, output, reason) => {
      const { url, errors } = await serveAgent(saying(output))
      // allPackets holds every packet to the strict schema.
      const packets = await allPackets(await post(url))
      expect(textOf(packets)).toBe('Before.')
      expect(packets.at(-2)).toMatchObject({ op: 'ERROR', p: { code: 'internal_error', severity: 'FATAL' } })
      expect(packets.at(-1)).toMatchObject({ op: 'CLOSE', p: 'failed' })
      expect(errors).toMatchObject([{ code: 'app_error', severity: 'FATAL', message: expect.stringMatching(reason) }])
      expect(JSON.stringify(packets)).not.toContain('must be')
    },
  )

  it('is reported to a client as an error of the agent, not of the protocol', async () => {
    const { origin } = await serveAgent(saying(warning(untyped<string>(429), 'Slow down.')))
    await expect(collect(new CapClient({ baseUrl: origin }).chat('Hello'))).rejects.toMatchObject({
      name: 'CapRuntimeError',
      code: 'agent_error',
      agentCode: 'internal_error',
    })
  })

  it('fails the run when it is written from a callback and no caller waits for it', async () => {
    const { url, errors } = await serveAgent(async (_request, run) => {
      await run.write('Before.')
      void run.write(untyped<AgentOutput>(5))
      await run.write(' After.')
    })
    const packets = await allPackets(await post(url))
    expect(packets.at(-2)).toMatchObject({ op: 'ERROR', p: { code: 'internal_error' } })
    expect(errors).toMatchObject([{ code: 'app_error', message: expect.stringMatching(/yielded or wrote a number/) }])
  })

  it('fails the run when its ids are no UUIDs', async () => {
    const { url, errors } = await serveAgent(saying('Hi'), { uuid: () => 'stream-1' })
    await post(url)
    expect(errors[0]).toMatchObject({ code: 'app_error', message: expect.stringMatching(/uuid.*"stream-1".*UUID/) })
  })
})

describe('how an agent ends and no packet can carry', () => {
  it.each(ENDINGS)('is internal_error when a generator returns %s', async (_what, ending, reason) => {
    const { url, errors } = await serveAgent(async function* () {
      yield 'Before.'
      return untyped<string>(ending)
    })
    const packets = await allPackets(await post(url))
    expect(packets.map(({ op }) => op)).toEqual(['DELTA', 'ERROR', 'CLOSE'])
    expect(packets[1]).toMatchObject({ p: { code: 'internal_error', severity: 'FATAL' } })
    expect(errors).toMatchObject([{ code: 'app_error', message: expect.stringMatching(reason) }])
  })

  it.each(ENDINGS)('is internal_error when a function returns %s', async (_what, ending, reason) => {
    const { url, errors } = await serveAgent(async () => untyped<string>(ending))
    const packets = await allPackets(await post(url))
    expect(packets.map(({ op }) => op)).toEqual(['ERROR', 'CLOSE'])
    expect(errors).toMatchObject([{ code: 'app_error', message: expect.stringMatching(reason) }])
  })

  it('is the end when it is null', async () => {
    const asked = async () => untyped<undefined>(null)
    const said = async function* (): AsyncGenerator<AgentOutput, string> {
      yield 'All.'
      return untyped<string>(null)
    }
    for (const agent of [asked, said]) {
      const { url, errors } = await serveAgent(agent)
      expect((await allPackets(await post(url))).at(-1)).toMatchObject({ op: 'CLOSE', p: 'finished' })
      expect(errors).toEqual([])
    }
  })

  it.each([
    ['a list as output', { output: [1] }],
    ['text as output', { output: 'All at once.' }],
    ['no output', { text: 'All at once.' }],
    ['an output that becomes text', { output: new Date(0) }],
    ['metrics that are a number', { output: {}, metrics: 5 }],
    [
      'a generator that is not async',
      (function* () {
        yield 'a'
      })(),
    ],
  ])('is internal_error when it answers with %s', async (_what, answer) => {
    const { url, errors } = await serveAgent(async () => untyped<{ output: Record<string, unknown> }>(answer))
    const packets = await allPackets(await post(url))
    expect(packets.map(({ op }) => op)).toEqual(['ERROR', 'CLOSE'])
    expect(packets[0]).toMatchObject({ p: { code: 'internal_error', severity: 'FATAL' } })
    expect(errors).toMatchObject([{ code: 'app_error', message: expect.stringMatching(/ServiceResponse.*\{ output/) }])
  })

  it("says of a JSON answer only what a ServiceResponse says: neither its id nor its time is the agent's", async () => {
    const answer = untyped<{ output: Record<string, unknown> }>({
      output: { a: 1 },
      metrics: null,
      request_id: 'mine',
      created_at: 'yesterday',
      extra: 1,
    })
    const { url } = await serveAgent(async () => answer)
    expect(await (await post(url)).json()).toEqual({
      request_id: '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b10',
      created_at: '2026-03-01T08:15:00.000Z',
      output: { a: 1 },
      metrics: null,
    })
  })

  it('may be returned by a function that is not async', async () => {
    const { url } = await serveAgent(untyped<Agent>(() => ({ output: { a: 1 } })))
    expect(await (await post(url)).json()).toMatchObject({ output: { a: 1 } })
  })
})
