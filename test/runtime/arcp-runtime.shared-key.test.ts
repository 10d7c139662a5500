import { beforeAll, expect, it } from 'vitest'
import { toolClient } from '../../src/protocols/arcp/client/arcp-client.ts'
import { openRun } from '../../src/session/session.ts'
import { createResumePoint } from '../../src/session/resume-point.ts'
import type { Session } from '../../src/session/agent-client.ts'
import { loadArcpOnDemand } from '../support/load-arcp-on-demand.ts'
import { serve } from './served-runtime.ts'

beforeAll(loadArcpOnDemand)

it('gives two runs of one job its text once each, also when one of them was left and is read on', async () => {
  let say = (_word: string): void => undefined
  const served = serve({
    tools: {
      async *count() {
        for (;;)
          yield await new Promise<string>((resolve) => {
            say = resolve
          })
      },
    },
  })
  const client = toolClient(served.client(), { tool: 'count', toArguments: () => ({}) })
  const texts = ['', '']
  const begin = (at: 0 | 1): Session => {
    const run = openRun({
      client,
      request: { tool: 'count', arguments: {}, idempotencyKey: 'the same' },
      requestId: `run-${at}`,
      resumePoint: createResumePoint(),
      onEvents(events) {
        for (const { event } of events) if (event.type === 'text') texts[at] += event.text
      },
      onEnded() {},
    })
    run.start()
    return run
  }
  const hear = async (word: string): Promise<readonly string[]> => {
    say(word)
    await served.settle()
    await served.pass(1_000)
    return [...texts]
  }

  const first = begin(0)
  begin(1)
  await served.settle()
  expect(await hear('one ')).toEqual(['one ', 'one '])
  first.disconnect()
  expect(await hear('two ')).toEqual(['one ', 'one two '])
  first.resume()
  await served.pass(1_000)
  expect(texts).toEqual(['one two ', 'one two '])
  expect(await hear('three ')).toEqual(['one two three ', 'one two three '])
})
