import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoff } from '../../../src/base/backoff.ts'
import { A2AClient } from '../../../src/clients/a2a/a2a-client.ts'
import { createChat } from '../../../src/state/chat.ts'
import { createMemoryAgent } from '../../support/a2a/memory-agent.ts'
import { settle } from '../../support/manual-clock.ts'
import { createManualEnvironment } from '../../support/manual-environment.ts'

/** More of them, with other values: `A2A_SCHEDULES=20000 A2A_SEED=1`. */
const RUNS = Number(process.env['A2A_SCHEDULES'] ?? 150)
const SEED = Number(process.env['A2A_SEED'] ?? 4711)

/** What the agent does, and what becomes of its connections, one after the other. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('append' as const), artifact: fc.constantFrom('a', 'b') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('working' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('sign-in' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('noise' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('cut' as const), how: fc.constantFrom('end', 'reset', 'error') }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('mute' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 900, 4_000, 70_000) }),
  },
)

const schedule = fc.record({
  postFault: fc.constantFrom(undefined, undefined, undefined, 'answer-lost' as const, 'lost' as const),
  steps: fc.array(step, { maxLength: 20 }),
  end: fc.constantFrom('COMPLETED', 'COMPLETED', 'CANCELED', 'FAILED', 'INPUT_REQUIRED'),
})

type Schedule = typeof schedule extends fc.Arbitrary<infer Value> ? Value : never

/** Plays a schedule in virtual time and checks at each moment what is shown. */
async function play({ postFault, steps, end }: Schedule): Promise<void> {
  const environment = createManualEnvironment()
  const agent = createMemoryAgent()
  agent.postFaults.push(postFault)
  const client = new A2AClient({ transport: agent.transport, environment, retry: backoff({ maxAttempts: 8 }) })
  const chat = createChat({ client: () => client, conversationId: 'c1' })
  const partsOf = () => chat.getSnapshot().messages.flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))
  const text = (): string => partsOf().reduce((all, part) => (part.type === 'text' ? all + part.text : all), '')
  const truth = (id: string | undefined): string =>
    agent.task.artifacts
      ?.find(({ artifactId }) => artifactId === id)
      ?.parts.reduce((all, part) => all + (part.text ?? ''), '') ?? ''
  /** Without an artifact, the message of the last status is the reply. */
  function reply(): string {
    const said = truth(agent.task.artifacts?.[0]?.artifactId)
    return said === '' && agent.task.status.state === 'TASK_STATE_COMPLETED' ? 'The end.' : said
  }
  const strays: string[] = []

  function check(): void {
    if (agent.messages.length === 0) return
    if (!reply().startsWith(text())) strays.push(text())
    for (const part of partsOf())
      if (part.type === 'artifact' && !truth(part.artifactId).startsWith(part.text ?? '')) strays.push(part.text ?? '')
    const ids = partsOf().flatMap((part) => (part.type === 'prompt' ? [part.id] : []))
    expect(new Set(ids).size).toBe(ids.length)
  }

  async function pass(ms: number): Promise<void> {
    await environment.clock.advance(ms)
    await settle()
    environment.paint()
    check()
  }

  const sent = chat.sendMessage('Why?')
  await pass(0)
  if (postFault === 'lost') {
    await pass(60_000)
    await sent
    expect(chat.getSnapshot().error?.code).toBe('delivery_unknown')
    expect(agent.calls.filter((call) => call === 'SendStreamingMessage')).toHaveLength(1)
    return
  }
  for (const [at, each] of steps.entries()) {
    if (each.type === 'append') agent.append(each.artifact, `[${at}] `)
    else if (each.type === 'working') agent.status('WORKING', `Step ${at}`, `w${at}`)
    else if (each.type === 'sign-in') agent.status('AUTH_REQUIRED', 'Sign in.', `s${at}`)
    else if (each.type === 'noise') agent.send({ noise: at })
    else if (each.type === 'cut') agent.cut(each.how)
    else if (each.type === 'mute') agent.mute()
    else await pass(each.ms)
    if (at % 3 === 0) await pass(0)
  }
  agent.status(end, 'The end.', 'end')
  await pass(300_000)
  await sent
  expect(strays).toEqual([])
  expect(agent.calls.filter((call) => call === 'SendStreamingMessage')).toHaveLength(1)
  expect(chat.getSnapshot().connection.phase).toBe(end === 'FAILED' ? 'failed' : 'closed')
  expect(text()).toBe(reply())
  const other = agent.task.artifacts?.[1]?.artifactId
  expect(partsOf().flatMap((part) => (part.type === 'artifact' ? [part.text] : []))).toEqual(
    other === undefined ? [] : [truth(other)],
  )
  expect(chat.getSnapshot().status).toBe(
    end === 'FAILED' ? 'error' : end === 'INPUT_REQUIRED' ? 'awaiting-input' : 'ready',
  )
  expect([agent.streams, agent.pending]).toEqual([0, 0])
  await chat.dispose()
}

describe('any schedule of an agent and its connections', () => {
  it('shows a beginning of the truth at each moment and the truth in the end, and sends once', async () => {
    await fc.assert(fc.asyncProperty(schedule, play), { seed: SEED, numRuns: RUNS })
  })
})
