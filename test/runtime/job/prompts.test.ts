import { beforeAll, describe, expect, it } from 'vitest'
import type { ArcpPrompt } from '../../../src/protocols/arcp/fold/arcp-state.ts'
import type { ArcpClient } from '../../../src/protocols/arcp/client/arcp-client.ts'
import type { ArcpToolFunction } from '../../../src/runtime/job/tool.ts'
import { OPEN, serve, typesOf } from '../served-runtime.ts'
import { loadArcpOnDemand } from '../../support/load-arcp-on-demand.ts'

// What the client loads on demand is there.
beforeAll(loadArcpOnDemand)

/** What a question came to, as the tool sees it. */
const outcome =
  (ask: (context: Parameters<ArcpToolFunction>[1]) => Promise<unknown>): ArcpToolFunction =>
  (_given, context) =>
    ask(context).catch((fault: { code: string; message: string }) => ({ code: fault.code, message: fault.message }))

const branch = outcome(({ askHuman }) =>
  askHuman({
    prompt: 'Which branch?',
    schema: { type: 'object', properties: { name: { type: 'string', minLength: 3 } }, required: ['name'] },
    expiresInMs: 60_000,
  }),
)
const withDefault = outcome(({ askHuman }) => askHuman({ prompt: 'How many?', schema: { type: 'number' }, default: 3 }))
const options = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B', description: 'The other one' },
]
const choose = outcome(({ choose: ask }) => ask({ prompt: 'A or B?', options }))
const chooseByDefault = outcome(({ choose: ask }) => ask({ prompt: 'A or B?', options, default: 'b' }))

const tools = { branch, withDefault, choose, chooseByDefault }

function promptOf(arcp: ArcpClient): ArcpPrompt {
  const prompt = [...arcp.getState().prompts.values()].at(-1)
  if (prompt === undefined) throw new Error('Nothing is asked.')
  return prompt
}

describe('a question for a value', () => {
  it('refuses an answer that does not fit, stays open, and takes the corrected one', async () => {
    const { client, settle } = serve({ tools })
    const arcp = client()
    const job = arcp.invoke('branch')
    await settle()
    const id = await job.accepted
    expect(arcp.getState().jobs.get(id)?.state).toBe('blocked')
    const wrong = arcp.answer(promptOf(arcp).id, { type: 'value', value: { name: 'x' } })
    await settle()
    expect(await wrong).toMatchObject({ result: 'invalid', errors: [{ path: '/name' }] })
    expect(promptOf(arcp)).toMatchObject({ state: 'open', errors: [{ path: '/name' }] })
    const right = arcp.answer(promptOf(arcp).id, { type: 'value', value: { name: 'main' } })
    await settle()
    expect(await right).toEqual({ result: 'accepted' })
    expect(promptOf(arcp).state).toBe('answered')
    expect((await job.result).value).toEqual({ value: { name: 'main' }, byDefault: false, respondedBy: 'user' })
    arcp.close()
  })

  it('is answered by its default when nobody has answered in time', async () => {
    const { client, settle, pass } = serve({ tools, promptMs: 5_000 })
    const arcp = client()
    const job = arcp.invoke('withDefault')
    await settle()
    await pass(5_000)
    expect((await job.result).value).toEqual({ value: 3, byDefault: true, respondedBy: 'default' })
    expect(promptOf(arcp).state).toBe('expired')
    arcp.close()
  })

  it('fails without a default when its time has expired, and says so to the client', async () => {
    const { client, raw, settle, pass, environment } = serve({ tools })
    const arcp = client()
    const job = arcp.invoke('branch')
    const other = await raw()
    other.send('tool.invoke', { tool: 'branch' })
    await settle()
    await pass(60_000)
    expect((await job.result).value).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    expect(promptOf(arcp).state).toBe('expired')
    expect(other.last('human.input.cancelled')).toMatchObject({
      correlation_id: other.last('human.input.request').id,
      payload: { code: 'DEADLINE_EXCEEDED' },
    })
    const late = other.send(
      'human.input.response',
      { value: {} },
      { correlation_id: other.last('human.input.request').id },
    )
    await settle()
    expect(other.last('nack')).toMatchObject({ correlation_id: late, payload: { code: 'FAILED_PRECONDITION' } })
    arcp.close()
    other.close()
    await settle()
    await pass(600_000)
    expect(environment.clock.pending).toBe(0)
  })

  it('can be left without an answer by the user', async () => {
    const { client, settle } = serve({ tools })
    const arcp = client()
    const job = arcp.invoke('branch')
    await settle()
    const told = arcp.answer(promptOf(arcp).id, { type: 'decline', reason: 'Not now' })
    await settle()
    expect(await told).toEqual({ result: 'accepted' })
    expect((await job.result).value).toEqual({ code: 'CANCELLED', message: 'Not now' })
    arcp.close()
  })

  it('takes the first answer of two, and tells the other tab who was first', async () => {
    const { raw, settle } = serve({ tools, auth: { bearer: () => 'ada' } })
    const open = { ...OPEN, auth: { scheme: 'bearer', token: 'x' } }
    const [first, second] = [await raw({ open }), await raw({ open })]
    second.send('resume', {}, { session_id: first.last('session.accepted').session_id })
    first.send('tool.invoke', { tool: 'choose' })
    await settle()
    const { id } = second.last('human.choice.request')
    first.send('human.choice.response', { choice_id: 'c' }, { correlation_id: id })
    await settle()
    expect(first.last('nack').payload).toMatchObject({ code: 'INVALID_ARGUMENT' })
    const answer = second.send(
      'human.choice.response',
      { choice_id: 'b', responded_by: 'tab 2' },
      { correlation_id: id },
    )
    first.send('human.choice.response', { choice_id: 'a' }, { correlation_id: id })
    await settle()
    expect(first.last('human.choice.response')).toMatchObject({ correlation_id: id, causation_id: answer })
    expect(first.last('nack').payload).toMatchObject({ code: 'FAILED_PRECONDITION' })
    // Who gave the answer knows it.
    expect(second.of('human.choice.response')).toEqual([])
    expect(first.last('tool.result').payload).toMatchObject({ value: { value: 'b', respondedBy: 'tab 2' } })
  })

  it('takes no answer of another principal, unless that one may', async () => {
    for (const mayAccess of [undefined, (who: string) => who === 'bob']) {
      const { raw, settle } = serve({ tools, mayAccess, auth: { bearer: (token) => token } })
      const openAs = (token: string): object => ({ ...OPEN, auth: { scheme: 'bearer', token } })
      const [ada, bob] = [await raw({ open: openAs('ada') }), await raw({ open: openAs('bob') })]
      ada.send('tool.invoke', { tool: 'choose' })
      await settle()
      const correlation = { correlation_id: ada.last('human.choice.request').id }
      bob.send('human.choice.response', { choice_id: 'b' }, correlation)
      await settle()
      expect(bob.of('nack').map(({ payload }) => payload.code)).toEqual(mayAccess ? [] : ['FAILED_PRECONDITION'])
      expect(ada.of('tool.result')).toHaveLength(mayAccess ? 1 : 0)
    }
  })

  it('is gone with its job', async () => {
    const { raw, settle, pass } = serve({ tools })
    const client = await raw()
    client.send('tool.invoke', { tool: 'branch' })
    await settle()
    client.send('cancel', { target: 'job', target_id: client.last('job.accepted').job_id })
    await pass(60_000)
    expect(typesOf(client.got).slice(3)).toEqual(['human.input.request', 'cancel.accepted', 'job.cancelled'])
  })
})

describe('a choice', () => {
  it('gives the id of the option that was chosen, or of its default', async () => {
    const { client, settle, pass } = serve({ tools, promptMs: 1_000 })
    const arcp = client()
    const chosen = arcp.invoke('choose')
    await settle()
    const told = arcp.answer(promptOf(arcp).id, { type: 'option', optionId: 'a' })
    await settle()
    expect(await told).toEqual({ result: 'accepted' })
    expect((await chosen.result).value).toMatchObject({ value: 'a', byDefault: false })
    const left = arcp.invoke('chooseByDefault')
    await settle()
    await pass(1_000)
    expect((await left.result).value).toMatchObject({ value: 'b', byDefault: true })
    arcp.close()
  })
})

describe('a job that is interrupted', () => {
  it('asks at once, and waits for the answer at its next safe point', async () => {
    const heard: unknown[] = []
    let go = (): void => undefined
    const { client, raw, settle } = serve({
      tools: {
        work: async (_given, { safePoint }) => {
          heard.push(await safePoint())
          await new Promise<void>((resolve) => {
            go = resolve
          })
          heard.push(await safePoint())
          return 'done'
        },
      },
    })
    const other = await raw()
    const arcp = client()
    const job = arcp.invoke('work')
    await settle()
    const told = arcp.interruptJob(await job.accepted)
    await settle()
    expect(await told).toEqual({ result: 'accepted' })
    expect(promptOf(arcp)).toMatchObject({ kind: 'input', state: 'open' })
    go()
    await settle()
    expect(heard).toEqual([undefined])
    const answered = arcp.answer(promptOf(arcp).id, { type: 'value', value: 'Only rivers.' })
    await settle()
    expect(await answered).toEqual({ result: 'accepted' })
    expect((await job.result).value).toBe('done')
    expect(heard).toMatchObject([undefined, { value: 'Only rivers.' }])
    other.send('interrupt', { target: 'job', target_id: 'job_none' })
    await settle()
    expect(other.last('nack').payload).toMatchObject({ code: 'NOT_FOUND' })
    arcp.close()
  })
})
